import { useId, useRef, useState } from 'react';
import type { PromptView, SessionSummary } from '../../../src/entry/remote/contract.js';
import { useWatchOnly } from '../store/context.js';
import { type Answering, useAnswer } from './answer.js';
import { BudgetCard } from './budget-card.js';
import { DialogCard } from './dialog-card.js';
import { ElicitationCard } from './elicitation-card.js';
import { PermissionCard } from './permission-card.js';
import { PlanCard } from './plan-card.js';
import { QuestionCard } from './question-card.js';
import { promptTitle } from './titles.js';
import { useCardFocus } from './use-card-focus.js';

/** A session's prompts: one at a time, oldest first; on other tabs it is one line until opened. */
export function PromptDock({ session, folded }: { session: SessionSummary; folded: boolean }) {
  const [at, setAt] = useState(0);
  const [isFolded, setFolded] = useState(folded);
  const watchOnly = useWatchOnly();
  const { prompts } = session;
  const index = Math.min(at, prompts.length - 1);
  const prompt = prompts[index];
  if (prompt === undefined) return null;
  if (watchOnly)
    return (
      <div className="dock">
        <p className="dock-line" role="status">
          <Headline prompt={prompt} /> <span className="faint">· waits for somebody who may answer</span>
        </p>
      </div>
    );
  if (isFolded)
    return (
      <div className="dock">
        <button type="button" className="dock-line" onClick={() => setFolded(false)}>
          <Headline prompt={prompt} />
        </button>
      </div>
    );
  return (
    <div className="dock">
      {prompts.length > 1 && (
        <nav className="dock-steps" aria-label="Prompts">
          <button
            type="button"
            className="quiet small"
            disabled={index === 0}
            onClick={() => setAt(index - 1)}
          >
            Earlier
          </button>
          <span>
            {index + 1} of {prompts.length}
          </span>
          <button
            type="button"
            className="quiet small"
            disabled={index === prompts.length - 1}
            onClick={() => setAt(index + 1)}
          >
            Later
          </button>
        </nav>
      )}
      <PromptCard key={prompt.id} prompt={prompt} session={session.id} />
    </div>
  );
}

function Headline({ prompt }: { prompt: PromptView }) {
  return (
    <>
      <strong>{promptTitle(prompt)}</strong> <span className="faint">{prompt.headline}</span>
    </>
  );
}

function PromptCard({ prompt, session }: { prompt: PromptView; session: string }) {
  const card = useRef<HTMLElement>(null);
  const heading = useId();
  const ready = useCardFocus(card);
  const answering = useAnswer(session, prompt);
  return (
    <section
      ref={card}
      className="prompt"
      data-kind={prompt.kind}
      data-ready={ready && !answering.busy}
      tabIndex={-1}
      aria-labelledby={heading}
    >
      <header>
        <h2 id={heading}>{promptTitle(prompt)}</h2>
        {prompt.agentId !== undefined && <span className="tag">a subagent asks</span>}
        <span className="keys-hint">Press Escape to use the keys</span>
      </header>
      <Card prompt={prompt} session={session} answering={answering} />
    </section>
  );
}

function Card({ prompt, session, answering }: { prompt: PromptView; session: string; answering: Answering }) {
  switch (prompt.kind) {
    case 'permission':
      return <PermissionCard prompt={prompt} session={session} answering={answering} />;
    case 'question':
      return <QuestionCard prompt={prompt} answering={answering} />;
    case 'plan':
      return <PlanCard prompt={prompt} session={session} answering={answering} />;
    case 'elicitation':
      return <ElicitationCard prompt={prompt} answering={answering} />;
    case 'dialog':
      return <DialogCard prompt={prompt} answering={answering} />;
    case 'budget':
      return <BudgetCard prompt={prompt} answering={answering} />;
  }
}
