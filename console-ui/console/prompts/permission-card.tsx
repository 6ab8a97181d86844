import { useState } from 'react';
import type { PermissionChoiceView, PermissionView } from '../../../src/entry/remote/contract.js';
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

type Mode = 'choose' | 'always' | 'deny' | 'edit' | 'parts';

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
      {mode === 'edit' ? (
        <InputEditor
          input={prompt.input}
          onCancel={back}
          onDone={(input: WireObject) => answering.send({ answer: 'allow', input })}
        />
      ) : (
        <ToTheEnd end={end} seen={seen}>
          {mode !== 'always' && <Reasons prompt={prompt} />}
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
      {mode === 'always' && <Always prompt={prompt} answering={answering} onCancel={back} />}
      {mode === 'deny' && <Denial answering={answering} onCancel={back} />}
    </>
  );
}

function Reasons({ prompt }: { prompt: PermissionView }) {
  const { description, decisionReason, blockedPath, wasDenied, input } = prompt;
  // Newer CLIs describe a change of a file by its path, which the change has as well.
  const isPath = description !== undefined && String(input.file_path ?? '').endsWith(description);
  return (
    <>
      {wasDenied === true && <p>If you allow it once, the model may make the same call again.</p>}
      {description !== undefined && !isPath && <p>{visible(description)}</p>}
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
  prompt: { choices, wasDenied },
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
  // The model has been told why already.
  const deny = () => (wasDenied === true ? answering.send({ answer: 'deny' }) : onMode('deny'));
  const hasChoices = choices.length > 0;
  const yes = {
    a: allow,
    e: () => onMode('edit'),
    ...(hasChoices ? { l: () => onMode('always') } : {}),
  };
  const some: Readonly<Record<string, () => void>> = parts === undefined ? {} : { p: () => onMode('parts') };
  useKeys({ ...(seen ? yes : {}), ...some, d: deny });
  return (
    <div className="prompt-actions permission-actions">
      <ActionButton answering={answering} look="primary" shortcut="a" disabled={!seen} onPress={allow}>
        Allow once
      </ActionButton>
      {parts !== undefined && (
        <ActionButton answering={answering} shortcut="p" onPress={() => onMode('parts')}>
          Choose parts
        </ActionButton>
      )}
      <ActionButton answering={answering} look="danger" shortcut="d" onPress={deny}>
        Deny
      </ActionButton>
      {hasChoices && (
        <ActionButton answering={answering} shortcut="l" disabled={!seen} onPress={() => onMode('always')}>
          Always allow…
        </ActionButton>
      )}
      <ActionButton
        answering={answering}
        look="quiet"
        shortcut="e"
        disabled={!seen}
        onPress={() => onMode('edit')}
      >
        Edit
      </ActionButton>
    </div>
  );
}

/** What can be allowed from now on: each entry says in full what it remembers before anyone takes it. */
function Always({
  prompt: { choices },
  answering,
  onCancel,
}: {
  prompt: PermissionView;
  answering: Answering;
  onCancel: () => void;
}) {
  const list = useFocusBack<HTMLElement>();
  const take = (id: string) => answering.send({ answer: 'allow', remember: [id] });
  const keys = new Map(choices.map(({ id }, index) => [id, String(index + 1)]));
  useKeys(Object.fromEntries([...keys].map(([id, key]) => [key, () => take(id)])));
  return (
    <section
      ref={list}
      className="always"
      aria-label="Always allow"
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <ul>
        {bySubject(choices).map(([first, ...others]) => (
          <li key={first.id}>
            <Exactly choice={first} />
            {[first, ...others].map(({ id, label }) => (
              <ActionButton
                key={id}
                answering={answering}
                shortcut={keys.get(id) ?? ''}
                onPress={() => take(id)}
              >
                {visible(label)}
              </ActionButton>
            ))}
          </li>
        ))}
      </ul>
      <div className="prompt-actions">
        <button type="button" className="quiet" onClick={onCancel}>
          Back
        </button>
      </div>
    </section>
  );
}

type Subject = readonly [PermissionChoiceView, ...PermissionChoiceView[]];

/** Choices that remember the same, each in another scope, are together. */
function bySubject(choices: readonly PermissionChoiceView[]): readonly Subject[] {
  const subjects = new Map<string, Subject>();
  for (const choice of choices) {
    const key = choice.id.split(':')[0] ?? choice.id;
    const [first, ...others] = subjects.get(key) ?? [choice];
    subjects.set(key, first === choice ? [choice] : [first, ...others, choice]);
  }
  return [...subjects.values()];
}

/** What a choice remembers, in full. */
function Exactly({ choice: { kind, exact, sentence, warning } }: { choice: PermissionChoiceView }) {
  return (
    <div className="always-exactly">
      {kind === 'rule' ? (
        exact.map((each) => <code key={each}>{visible(each)}</code>)
      ) : (
        <span>{visible(sentence)}</span>
      )}
      {warning !== undefined && <p className="always-warning">{visible(warning)}</p>}
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
