import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { promptNeed } from '../prompts/titles.js';
import { routeTo } from '../store/route.js';
import { SessionName } from '../ui/session-name.js';

/** What is waiting for you, across all sessions, longest wait first. */
export function NeedsYou({ sessions }: { sessions: readonly SessionSummary[] }) {
  const needs = sessions
    .flatMap((session) => session.prompts.map((prompt) => ({ session, prompt })))
    .toSorted((a, b) => a.prompt.at - b.prompt.at);
  if (needs.length === 0) return null;
  return (
    <section className="needs-you" aria-label="Needs you">
      <h2 className="list-title">
        Needs you <span className="badge">{needs.length}</span>
      </h2>
      <ul className="session-list">
        {needs.map(({ session, prompt }) => (
          <li key={`${session.id} ${prompt.id}`}>
            <a className="need" href={routeTo(session.id)}>
              <SessionName session={session} />
              <span className="need-what">{promptNeed(prompt)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
