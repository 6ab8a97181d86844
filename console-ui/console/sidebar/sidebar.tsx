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
import { fits, inOrder, isArchived, tagsOf } from './search.js';
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
  const tags = useMemo(() => tagsOf(sessions), [sessions]);
  const [chosen, setTag] = useState<string>();
  // The last session with it may be gone.
  const tag = chosen !== undefined && tags.includes(chosen) ? chosen : undefined;
  const found = sessions.filter(
    (session) => fits(session, search) && (tag === undefined || session.tags?.includes(tag) === true),
  );
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
      <TagFilter tags={tags} chosen={tag} onChoose={setTag} />
      <div className="sidebar-lists">
        <NeedsYou sessions={sessions} />
        <SessionList
          sessions={found}
          current={route.session}
          isSearch={search.trim() !== '' || tag !== undefined}
        />
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

/** The list: pinned ones, then folder by folder, then those that are out of the way. */
function SessionList({
  sessions,
  current,
  isSearch,
}: {
  sessions: readonly SessionSummary[];
  current: string | undefined;
  isSearch: boolean;
}) {
  if (sessions.length === 0) return null;
  const archived = sessions.filter((each) => isArchived(each) && each.id !== current);
  const shown = sessions.filter((each) => !archived.includes(each));
  const pinned = shown.filter((each) => each.pinned === true);
  const folders = byFolder(shown.filter((each) => each.pinned !== true));
  return (
    <section aria-label="Sessions">
      {pinned.length > 0 && <Fold name="Pinned" sessions={pinned} current={current} />}
      {folders.map(({ cwd, name, sessions: some }) => (
        <Fold key={cwd} name={name} label={`In ${name}`} title={cwd} sessions={some} current={current} />
      ))}
      {archived.length > 0 && (
        <Fold
          // A search opens it, and the end of the search closes it.
          key={String(isSearch)}
          name={`Archived (${archived.length})`}
          title="Archived sessions, and ended ones without messages"
          sessions={archived}
          current={current}
          folded={!isSearch}
        />
      )}
    </section>
  );
}

/** A part of the list; a collapsed one stays collapsed until the page is reloaded. */
function Fold({
  name,
  label = name,
  title,
  sessions,
  current,
  folded = false,
}: {
  name: string;
  label?: string;
  title?: string;
  sessions: readonly SessionSummary[];
  current: string | undefined;
  folded?: boolean;
}) {
  const [isOpen, setOpen] = useState(!folded);
  return (
    <section aria-label={label}>
      <h2 className="list-title" title={title}>
        <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {name}
        </button>
      </h2>
      {isOpen && (
        <ul className="session-list">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} isCurrent={session.id === current} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Filters the list by a tag. */
function TagFilter({
  tags,
  chosen,
  onChoose,
}: {
  tags: readonly string[];
  chosen: string | undefined;
  onChoose: (tag: string | undefined) => void;
}) {
  if (tags.length === 0) return null;
  return (
    <fieldset className="tag-filter" aria-label="Tags">
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          className="tag"
          aria-pressed={tag === chosen}
          onClick={() => onChoose(tag === chosen ? undefined : tag)}
        >
          #{tag}
        </button>
      ))}
    </fieldset>
  );
}
