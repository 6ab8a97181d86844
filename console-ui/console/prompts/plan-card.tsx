import { useEffect, useState } from 'react';
import type { PlanView } from '../../../src/entry/remote/contract.js';
import { Markdown } from '../conversation/markdown.js';
import { useReach } from '../store/context.js';
import { ActionButton } from './action-button.js';
import type { Answering } from './answer.js';
import { Key } from './key.js';
import { useFocusBack } from './use-focus-back.js';
import { useKeys } from './use-keys.js';

type Mode = 'read' | 'edit' | 'reject';

/** A plan to approve, unchanged or edited, or to send back with feedback. */
export function PlanCard({
  prompt,
  session,
  answering,
}: {
  prompt: PlanView;
  session: string;
  answering: Answering;
}) {
  const told = usePlanText(prompt, session);
  const [edited, setEdited] = useState<string>();
  const [mode, setMode] = useState<Mode>('read');
  const plan = edited ?? told ?? '';
  const approve = (next?: string) => {
    const isChanged = edited !== undefined && edited !== told;
    answering.send({
      answer: 'approve',
      ...(next === undefined ? {} : { mode: next }),
      ...(isChanged ? { input: { ...prompt.input, plan: edited } } : {}),
    });
  };
  return (
    <>
      {mode === 'edit' ? (
        <PlanEditor plan={plan} onChange={setEdited} onDone={() => setMode('read')} />
      ) : (
        // Long plans can be scrolled by keyboard, too.
        <section className="plan" aria-label="The plan" tabIndex={0}>
          {plan === '' ? (
            <p className="faint">This CLI does not send the text of the plan.</p>
          ) : (
            <Markdown text={plan} />
          )}
        </section>
      )}
      {mode === 'reject' ? (
        <Rejection answering={answering} onCancel={() => setMode('read')} />
      ) : (
        <PlanChoices answering={answering} editing={mode === 'edit'} onApprove={approve} onMode={setMode} />
      )}
    </>
  );
}

function PlanEditor({
  plan,
  onChange,
  onDone,
}: {
  plan: string;
  onChange: (plan: string) => void;
  onDone: () => void;
}) {
  return (
    <textarea
      ref={useFocusBack<HTMLTextAreaElement>()}
      className="plan-editor"
      aria-label="The plan"
      // biome-ignore lint/a11y/noAutofocus: the person just asked for this field
      autoFocus
      value={plan}
      rows={14}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
    />
  );
}

function PlanChoices({
  answering,
  editing,
  onApprove,
  onMode,
}: {
  answering: Answering;
  editing: boolean;
  onApprove: (mode?: string) => void;
  onMode: (mode: Mode) => void;
}) {
  const approve = () => onApprove('default');
  useKeys({
    a: approve,
    '1': () => onApprove('acceptEdits'),
    d: () => onMode('reject'),
    e: () => onMode('edit'),
  });
  return (
    <div className="prompt-actions">
      <ActionButton answering={answering} look="primary" shortcut="a" onPress={approve}>
        Approve
      </ActionButton>
      <ActionButton answering={answering} shortcut="1" onPress={() => onApprove('acceptEdits')}>
        Approve, and accept edits
      </ActionButton>
      <button type="button" onClick={() => onMode(editing ? 'read' : 'edit')}>
        {editing ? 'Read' : 'Edit'} {!editing && <Key name="e" />}
      </button>
      <button type="button" className="danger" onClick={() => onMode('reject')}>
        Keep planning <Key name="d" />
      </button>
    </div>
  );
}

function Rejection({ answering, onCancel }: { answering: Answering; onCancel: () => void }) {
  const [feedback, setFeedback] = useState('');
  const form = useFocusBack<HTMLFormElement>();
  return (
    <form
      ref={form}
      className="prompt-reason"
      onSubmit={(event) => {
        event.preventDefault();
        answering.send({ answer: 'reject', feedback: feedback.trim() === '' ? 'Not yet.' : feedback.trim() });
      }}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <label>
        What should change
        {/* biome-ignore lint/a11y/noAutofocus: the person just asked for this field */}
        <textarea autoFocus rows={3} value={feedback} onChange={(event) => setFeedback(event.target.value)} />
      </label>
      <div className="prompt-actions">
        <ActionButton answering={answering} look="danger">
          Send back
        </ActionButton>
        <button type="button" className="quiet" onClick={onCancel}>
          Back
        </button>
      </div>
    </form>
  );
}

/** Newer CLIs leave the plan out of the prompt, but return it on request. */
function usePlanText({ plan }: PlanView, session: string): string | undefined {
  const { link } = useReach();
  const [asked, setAsked] = useState<string>();
  useEffect(() => {
    if (plan !== undefined) return;
    let isCurrent = true;
    link.command('control', { subtype: 'get_plan' }, { session }).then(
      ({ content }) => isCurrent && typeof content === 'string' && setAsked(content),
      // Older CLIs do not know the request; the card then says that there is no text.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [plan, link, session]);
  return plan ?? asked;
}
