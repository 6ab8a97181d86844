import { useMemo, useState } from 'react';
import type { PermissionView } from '../../../src/entry/remote/contract.js';
import { DiffView } from '../conversation/diff-view.js';
import { editOf } from '../conversation/edits.js';
import { VisibleText } from '../conversation/visible-text.js';
import { useFresh } from '../panels/use-fresh.js';
import { useReach } from '../store/context.js';
import { ActionButton } from './action-button.js';
import type { Answering } from './answer.js';
import { type EditPart, leftOutWords, PARTED_TOOLS, type PartedEdit, partedEdit } from './edit-parts.js';
import { ToTheEnd, useSeenToEnd } from './seen-to-end.js';
import { useFocusBack } from './use-focus-back.js';
import { useKeys } from './use-keys.js';

/** The parts of a proposed edit, if it has several: a file that is written is compared with what is on disk. */
export function usePartedEdit(session: string, prompt: PermissionView): PartedEdit | undefined {
  const { link } = useReach();
  const { tool, input } = prompt;
  const path = String(input.file_path);
  const isWrite = tool === 'Write';
  const file = useFresh(isWrite, () => link.command('file', { path }, { session }));
  const disk = file.value?.cut === false ? file.value.text : undefined;
  return useMemo(() => {
    const edit = PARTED_TOOLS.has(tool) ? partedEdit({ tool, input }, disk) : undefined;
    return edit !== undefined && edit.parts.length > 1 ? edit : undefined;
  }, [tool, input, disk]);
}

/** Accepts some parts of a proposed edit; the model is told what was left out, in a message. */
export function PartChoice({
  edit,
  answering,
  onCancel,
}: {
  edit: PartedEdit;
  answering: Answering;
  onCancel: () => void;
}) {
  const { parts, path } = edit;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(parts.map(({ id }) => id)));
  const [reason, setReason] = useState('');
  const { end, seen } = useSeenToEnd();
  const box = useFocusBack<HTMLDivElement>();
  const left = parts.length - chosen.size;
  const toggle = (id: number) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const answer = () => {
    const said = reason.trim();
    if (chosen.size === 0)
      return answering.send({ answer: 'deny', ...(said === '' ? {} : { reason: said }) });
    if (!seen) return;
    if (left === 0) return answering.send({ answer: 'allow' });
    const message = leftOutWords(edit, chosen, reason);
    answering.send({ answer: 'allow', input: edit.inputWith(chosen), message });
  };
  useKeys({ a: answer });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape goes back from every field in it
    <div
      ref={box}
      className="part-choice"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <p className="edit-path">
        <code>
          <VisibleText text={path} />
        </code>
      </p>
      <ToTheEnd end={end} seen={seen || chosen.size === 0}>
        <ol className="edit-parts">
          {parts.map((part, index) => (
            <Part
              key={part.id}
              part={part}
              edit={edit}
              isChosen={chosen.has(part.id)}
              isFirst={index === 0}
              onToggle={() => toggle(part.id)}
            />
          ))}
        </ol>
      </ToTheEnd>
      {left > 0 && (
        <label className="prompt-reason">
          Why (the model is told, with the parts that you left out)
          <input value={reason} onChange={(event) => setReason(event.target.value)} />
        </label>
      )}
      <div className="prompt-actions">
        <ActionButton
          answering={answering}
          look={chosen.size === 0 ? 'danger' : 'primary'}
          shortcut="a"
          disabled={!seen && chosen.size > 0}
          onPress={answer}
        >
          {chosen.size === 0 ? 'Deny' : `Allow ${left === 0 ? 'all' : `${chosen.size} of ${parts.length}`}`}
        </ActionButton>
        <button type="button" className="quiet" onClick={onCancel}>
          Back
        </button>
      </div>
    </div>
  );
}

function Part({
  part: { id, shown },
  edit: { path, parts, numbered },
  isChosen,
  isFirst,
  onToggle,
}: {
  part: EditPart;
  edit: PartedEdit;
  isChosen: boolean;
  isFirst: boolean;
  onToggle: () => void;
}) {
  const change = useMemo(() => editOf(path, [shown], numbered), [path, shown, numbered]);
  const name = `Part ${id + 1} of ${parts.length}`;
  return (
    <li data-chosen={isChosen}>
      <label className="edit-part-head">
        {/* biome-ignore lint/a11y/noAutofocus: the person just asked for this choice */}
        <input type="checkbox" autoFocus={isFirst} checked={isChosen} onChange={onToggle} />
        <span>{name}</span>
        {!isChosen && <span className="faint">left out</span>}
      </label>
      <DiffView edit={change} part={name} />
    </li>
  );
}
