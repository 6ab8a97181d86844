import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { useConsole } from '../store/context.js';
import { routeTo } from '../store/route.js';
import { fullName } from '../ui/names.js';
import { failureOf, type Results } from './mcp-action.js';

type Result = Results['results'][number];

/** The results of an action on all sessions, one by one: failures, and changes that outlive a session. */
export function McpResults({ server, results }: Results) {
  const sessions = useConsole((state) => state.sessions);
  const done = results.filter(isDone).length;
  return (
    <section className="results" role="status" aria-label="Results">
      <p>
        {server}: done in {done} of {results.length} {results.length === 1 ? 'session' : 'sessions'}.
      </p>
      <ul>
        {results.map((result) => (
          <li key={result.session} data-failed={!isDone(result)}>
            <a href={routeTo(result.session, 'mcp')}>{nameOf(result.session, sessions)}</a>:{' '}
            {outcome(result, sessions.get(result.session)?.cwd)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function isDone({ ok, value }: Result): boolean {
  return ok && value?.success === true;
}

function nameOf(id: string, sessions: ReadonlyMap<string, SessionSummary>): string {
  const session = sessions.get(id);
  return session === undefined ? 'A removed session' : fullName(session, sessions);
}

function outcome({ value, error }: Result, cwd: string | undefined): string {
  if (value === undefined) return error?.message ?? 'it failed';
  const remembered = value.remembered ? `, and remembered for ${cwd} after the session ends` : '';
  return `${value.success ? (value.status ?? 'in progress') : failureOf(value)}${remembered}`;
}
