import { type ReactNode, useState } from 'react';
import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { count, estimatedDollars } from '../../../src/wire/util/numbers.js';
import { CostChart } from '../../shared/cost-chart.js';
import { useCanAsk } from '../header/session-facts.js';
import type { Conversation } from '../model/conversation.js';
import { useCommands, useWatchOnly } from '../store/context.js';
import { memoryWords } from '../ui/memory-words.js';
import { SessionActions } from './session-actions.js';

/** A session's cost, how full its context is, its budget, and actions on the whole session. */
export function UsagePanel({
  session,
  conversation,
}: {
  session: SessionSummary;
  conversation: Conversation;
}) {
  const { tokens, context, costUsd } = session;
  const canAsk = useCanAsk(session);
  const watchOnly = useWatchOnly();
  return (
    <section className="panel" aria-label="Usage">
      <header className="panel-head">
        <h2>Usage</h2>
      </header>
      <dl className="facts">
        <Fact
          name={
            session.costIsPartial === true
              ? 'Cost since the resume, estimated by the CLI'
              : 'Cost, estimated by the CLI'
          }
        >
          {estimatedDollars(costUsd)}
        </Fact>
        <Fact name="Input tokens, uncached">{count(tokens.input)}</Fact>
        <Fact name="Input tokens, read from cache">{count(tokens.cacheRead)}</Fact>
        <Fact name="Input tokens, written to cache">{count(tokens.cacheCreation)}</Fact>
        <Fact name="Output tokens">{count(tokens.output)}</Fact>
        <Fact name="Context">
          {count(context.tokens)}
          {context.window !== undefined && ` of ${count(context.window)}`}
        </Fact>
      </dl>
      {conversation.turns.length > 0 && <CostChart turns={conversation.turns} />}
      {!watchOnly && <Budget key={session.maxBudgetUsd} session={session} />}
      {canAsk && <ContextBreakdown session={session.id} />}
      <h2>Session</h2>
      <dl className="facts">
        <Fact name="Folder">{session.cwd}</Fact>
        <Fact name="Conversation">{session.conversation ?? 'not begun'}</Fact>
        <Fact name="CLI">{session.cliVersion ?? 'unknown'}</Fact>
        {session.memory !== undefined && <Fact name="Memory">{memoryWords(session.memory)}</Fact>}
        <Fact name="Opened by">
          {session.owner.name}
          {session.owner.away && ' (away)'}
        </Fact>
        <Fact name="Watched by">{session.viewers}</Fact>
      </dl>
      {!watchOnly && <SessionActions session={session} />}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Budget({ session }: { session: SessionSummary }) {
  const { run, busy } = useCommands();
  const [text, setText] = useState(session.maxBudgetUsd === undefined ? '' : String(session.maxBudgetUsd));
  const usd = text.trim() === '' ? null : Number(text);
  const isWrong = usd !== null && !(Number.isFinite(usd) && usd >= 0);
  return (
    <form
      className="budget"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) void run('setBudget', { usd }, { session: session.id });
      }}
    >
      <label>
        Budget in dollars; once it is spent, the next message waits for you
        <input
          inputMode="decimal"
          value={text}
          placeholder="none"
          aria-invalid={isWrong}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <button type="submit" disabled={busy || isWrong}>
        Set
      </button>
    </form>
  );
}

/** What fills the context; queried only on demand, because the CLI counts again each time. */
function ContextBreakdown({ session }: { session: string }) {
  const { run, busy } = useCommands();
  const [usage, setUsage] = useState<WireObject>();
  const rows = Array.isArray(usage?.categories) ? usage.categories.filter(isObject) : [];
  return (
    <div className="breakdown">
      <button
        type="button"
        className="small"
        disabled={busy}
        onClick={() => void run('contextUsage', {}, { session }).then(setUsage)}
      >
        What fills the context?
      </button>
      {usage !== undefined && rows.length === 0 && <p className="faint">Not reported by this CLI.</p>}
      {rows.length > 0 && (
        <dl className="facts">
          {rows.map(({ name, tokens }) => (
            <Fact key={String(name)} name={String(name)}>
              {typeof tokens === 'number' ? count(tokens) : ''}
            </Fact>
          ))}
        </dl>
      )}
    </div>
  );
}
