import { useMemo, useState } from 'react';
import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { AddDevice } from '../device/add-device.js';
import { Install } from '../device/install.js';
import { SignOut } from '../device/sign-out.js';
import { MessageSearch } from '../find/message-search.js';
import { useConsole, useWatchOnly } from '../store/context.js';
import { USAGE, useRoute } from '../store/route.js';
import { Bell } from './bell.js';
import { byFolder } from './folders.js';
import { History } from './history.js';
import { NeedsYou } from './needs-you.js';
import { NewSession } from './new-session.js';
import { fits, inOrder } from './search.js';
import { SessionRow } from './session-row.js';

/** The sessions: those that need you first, then all of them, and earlier ones on disk. */
export function Sidebar() {
  const route = useRoute();
  const all = useConsole(({ sessions }) => sessions);
  const listed = useConsole((state) => state.listed);
  const watchOnly = useWatchOnly();
  const [search, setSearch] = useState('');
  const [opening, setOpening] = useState(false);
  const sessions = useMemo(() => inOrder([...all.values()]), [all]);
  const found = sessions.filter((session) => fits(session, search));
  return (
    <nav className="sidebar" aria-label="Sessions">
      <div className="sidebar-head">
        <a className="brand" href="#/">
          Coxswain
        </a>
        {!watchOnly && (
          <button type="button" className="primary" onClick={() => setOpening(true)}>
            New session
          </button>
        )}
      </div>
      <input
        type="search"
        className="search"
        placeholder="Search sessions"
        aria-label="Search sessions"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className="sidebar-lists">
        <NeedsYou sessions={sessions} />
        <SessionList sessions={found} current={route.session} />
        {listed && sessions.length === 0 && <p className="faint pad">No open sessions.</p>}
        {sessions.length > 0 && found.length === 0 && <p className="faint pad">No open session matches.</p>}
        {!watchOnly && <History search={search} />}
        {!watchOnly && <MessageSearch search={search} />}
      </div>
      <div className="sidebar-foot">
        <Bell />
        {!watchOnly && (
          <a className="button quiet" href={USAGE} aria-current={route.usage === true ? 'page' : undefined}>
            Usage
          </a>
        )}
        <AddDevice />
        <SignOut />
        <Install />
      </div>
      {opening && <NewSession onClose={() => setOpening(false)} />}
    </nav>
  );
}

/** The list, folder by folder; a collapsed folder stays collapsed until the page is reloaded. */
function SessionList({
  sessions,
  current,
}: {
  sessions: readonly SessionSummary[];
  current: string | undefined;
}) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (cwd: string) =>
    setFolded((before) =>
      before.has(cwd) ? new Set([...before].filter((each) => each !== cwd)) : new Set([...before, cwd]),
    );
  if (sessions.length === 0) return null;
  return (
    <section aria-label="Sessions">
      {byFolder(sessions).map(({ cwd, name, sessions: some }) => (
        <section key={cwd} aria-label={`In ${name}`}>
          <h2 className="list-title" title={cwd}>
            <button
              type="button"
              className="quiet"
              aria-expanded={!folded.has(cwd)}
              onClick={() => toggle(cwd)}
            >
              {name}
            </button>
          </h2>
          {!folded.has(cwd) && (
            <ul className="session-list">
              {some.map((session) => (
                <SessionRow key={session.id} session={session} isCurrent={session.id === current} />
              ))}
            </ul>
          )}
        </section>
      ))}
    </section>
  );
}
