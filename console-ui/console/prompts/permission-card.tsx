import { useState } from 'react';
import type { PermissionView } from '../../../src/entry/remote/contract.js';
import type { WireObject } from '../../../src/wire/protocol/frames.js';
import { visible } from '../../../src/wire/util/unusual.js';
import { ToolInput } from '../conversation/tool-input.js';
import { ActionButton } from './action-button.js';
import type { Answering } from './answer.js';
import { InputEditor } from './input-editor.js';
import { PartChoice, usePartedEdit } from './part-choice.js';
import { ToTheEnd, useSeenToEnd } from './seen-to-end.js';
import { useFocusBack } from './use-focus-back.js';
import { useKeys } from './use-keys.js';

type Mode = 'choose' | 'deny' | 'edit' | 'parts';

/** A tool wants to run: allow it, once or from now on, with the original or an edited input, or deny it. */
export function PermissionCard({
  prompt,
  session,
  answering,
}: {
  prompt: PermissionView;
  session: string;
  answering: Answering;
}) {
  const [mode, setMode] = useState<Mode>('choose');
  const parted = usePartedEdit(session, prompt);
  const back = () => setMode('choose');
  const { end, seen } = useSeenToEnd();
  if (mode === 'parts' && parted !== undefined)
    return <PartChoice edit={parted} answering={answering} onCancel={back} />;
  return (
    <>
      <Reasons prompt={prompt} />
      {mode === 'edit' ? (
        <InputEditor
          input={prompt.input}
          onCancel={back}
          onDone={(input: WireObject) => answering.send({ answer: 'allow', input })}
        />
      ) : (
        <ToTheEnd end={end} seen={seen}>
          <ToolInput tool={{ name: prompt.tool, input: prompt.input }} />
        </ToTheEnd>
      )}
      {mode === 'choose' && (
        <Choices
          prompt={prompt}
          answering={answering}
          seen={seen}
          parts={parted?.parts.length}
          onMode={setMode}
        />
      )}
      {mode === 'deny' && <Denial answering={answering} onCancel={back} />}
    </>
  );
}

function Reasons({ prompt }: { prompt: PermissionView }) {
  const { description, decisionReason, blockedPath } = prompt;
  return (
    <>
      {description !== undefined && <p>{visible(description)}</p>}
      {decisionReason !== undefined && <p className="faint">{visible(decisionReason)}</p>}
      {blockedPath !== undefined && (
        <p className="faint">
          Path: <code>{visible(blockedPath)}</code>
        </p>
      )}
    </>
  );
}

function Choices({
  prompt,
  answering,
  seen,
  parts,
  onMode,
}: {
  prompt: PermissionView;
  answering: Answering;
  /** Whether all of the request has been visible. */
  seen: boolean;
  /** The number of parts of an edit that can be accepted in parts. */
  parts: number | undefined;
  onMode: (mode: Mode) => void;
}) {
  const allow = () => answering.send({ answer: 'allow' });
  const always = prompt.choices.map(({ id, sentence, warning }, index) => ({
    key: String(index + 1),
    words: warning === undefined ? sentence : `${sentence} ${warning}`,
    send: () => answering.send({ answer: 'allow', remember: [id] }),
  }));
  const yes = {
    a: allow,
    e: () => onMode('edit'),
    ...Object.fromEntries(always.map(({ key, send }) => [key, send])),
  };
  const some: Readonly<Record<string, () => void>> = parts === undefined ? {} : { p: () => onMode('parts') };
  useKeys({ ...(seen ? yes : {}), ...some, d: () => onMode('deny') });
  return (
    <div className="prompt-actions">
      <ActionButton answering={answering} look="primary" shortcut="a" disabled={!seen} onPress={allow}>
        Allow
      </ActionButton>
      <ActionButton answering={answering} shortcut="e" disabled={!seen} onPress={() => onMode('edit')}>
        Edit
      </ActionButton>
      {parts !== undefined && (
        <ActionButton answering={answering} shortcut="p" onPress={() => onMode('parts')}>
          Choose parts
        </ActionButton>
      )}
      <ActionButton answering={answering} look="danger" shortcut="d" onPress={() => onMode('deny')}>
        Deny
      </ActionButton>
      {always.map(({ key, words, send }) => (
        <ActionButton key={key} answering={answering} shortcut={key} disabled={!seen} onPress={send}>
          {words.startsWith('Allow ') ? '' : 'Allow, and: '}
          {visible(words)}
        </ActionButton>
      ))}
    </div>
  );
}

function Denial({ answering, onCancel }: { answering: Answering; onCancel: () => void }) {
  const [reason, setReason] = useState('');
  const form = useFocusBack<HTMLFormElement>();
  const deny = (interrupt: boolean) => {
    const said = reason.trim();
    answering.send({
      answer: 'deny',
      ...(said === '' ? {} : { reason: said }),
      ...(interrupt ? { interrupt } : {}),
    });
  };
  return (
    <form
      ref={form}
      className="prompt-reason"
      onSubmit={(event) => {
        event.preventDefault();
        deny(false);
      }}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <label>
        Why not, or what to do instead (the model is told)
        {/* biome-ignore lint/a11y/noAutofocus: the person just asked for this field */}
        <input autoFocus value={reason} onChange={(event) => setReason(event.target.value)} />
      </label>
      <div className="prompt-actions">
        <ActionButton answering={answering} look="danger" shortcut="↵">
          Deny
        </ActionButton>
        <ActionButton answering={answering} onPress={() => deny(true)}>
          Deny and stop
        </ActionButton>
        <button type="button" className="quiet" onClick={onCancel}>
          Back
        </button>
      </div>
    </form>
  );
}
