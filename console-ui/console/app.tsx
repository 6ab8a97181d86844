import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useDrop } from './composer/use-drop.js';
import type { Link } from './link/link.js';
import { logIn } from './link/login.js';
import { SessionPage } from './session-page.js';
import { Sidebar } from './sidebar/sidebar.js';
import { StartPage } from './start-page.js';
import type { ConsoleStore } from './store/console-store.js';
import { type Reach, ReachContext, useConsole } from './store/context.js';
import { useRoute } from './store/route.js';
import { ErrorBoundary } from './ui/error-boundary.js';
import { titleOf } from './ui/names.js';
import { Toasts, ToastsContext, useToasts } from './ui/toasts.js';

/** The whole page. */
export function App({
  store,
  link,
  client,
  hadToken,
}: {
  store: ConsoleStore;
  link: Link;
  client: string;
  /** Whether the address had a token; if the page is locked, it was refused. */
  hadToken: boolean;
}) {
  const { toasts, tell, drop } = useToasts();
  const reach = useMemo<Reach>(() => ({ store, link, client, tell }), [store, link, client, tell]);
  const shown = useMemo(() => ({ toasts, drop }), [toasts, drop]);
  return (
    <ReachContext value={reach}>
      <ToastsContext value={shown}>
        <LinkNote />
        <Problems />
        <Frame hadToken={hadToken} />
        <Toasts />
      </ToastsContext>
    </ReachContext>
  );
}

function Frame({ hadToken }: { hadToken: boolean }) {
  const { session: id, tab, find, usage = false } = useRoute();
  const session = useConsole(({ sessions }) => (id === undefined ? undefined : sessions.get(id)));
  const listed = useConsole((state) => state.listed);
  const isLocked = useConsole(({ link }) => link === 'locked');
  useTitle(session && titleOf(session));
  useDrop();
  if (isLocked) return <Locked hadToken={hadToken} />;
  return (
    <div className="frame" data-view={id === undefined && !usage ? 'list' : 'session'}>
      {session !== undefined && <SkipList />}
      <Sidebar />
      <ErrorBoundary place={usage ? 'usage' : `${id}/${tab}`}>
        {usage ? (
          <Suspense fallback={<main className="nothing">Loading…</main>}>
            <UsagePage />
          </Suspense>
        ) : session === undefined ? (
          <StartPage missing={id !== undefined && listed} />
        ) : (
          <SessionPage key={session.id} session={session} tab={tab} find={find} />
        )}
      </ErrorBoundary>
    </div>
  );
}

/** Loaded on first view. */
const UsagePage = lazy(async () => ({ default: (await import('./usage/usage-page.js')).UsagePage }));

/** For keyboard users: there may be a hundred sessions before the selected one. */
function SkipList() {
  return (
    <button type="button" className="skip" onClick={() => document.querySelector('main')?.focus()}>
      Skip the list of sessions
    </button>
  );
}

/** Says that the server cannot be reached; the content stays visible. */
function LinkNote() {
  const link = useConsole((state) => state.link);
  const role = useConsole(({ hello }) => hello?.role ?? 'owner');
  const demo = useConsole(({ hello }) => hello?.demo === true);
  if (link === 'lost')
    return (
      <p className="banner" data-level="warning" role="status">
        The connection to the server is lost. Trying again…
      </p>
    );
  if (!demo && role === 'owner') return null;
  return (
    <header className="banner">
      {role === 'watcher' && 'Read-only access. '}
      {role === 'operator' && OPERATES}
      {demo && 'Demo: the CLI is emulated. No key, no network, no model.'}
    </header>
  );
}

/** Stored data that is left out, and why. */
function Problems() {
  const problems = useConsole(({ hello }) => hello?.problems);
  const [hidden, setHidden] = useState(false);
  if (problems === undefined || problems.length === 0 || hidden) return null;
  return (
    <div className="banner" data-level="warning" role="status">
      Stored data cannot be used: {problems.slice(0, 3).join(' ')}
      {problems.length > 3 && ` And ${problems.length - 3} more.`}{' '}
      <button type="button" className="quiet small" onClick={() => setHidden(true)}>
        Hide
      </button>
    </div>
  );
}

const OPERATES =
  'Operator: you can send messages and answer prompts. Only an owner can change which tools run without asking. ';

const REFUSED_ADDRESS =
  'This address is invalid or has expired. A QR code works once and expires after two minutes.';
const REFUSED_KEY = 'This key is invalid or has expired.';
const UNREACHABLE = 'The server cannot be reached.';

/** A key entered by hand is not in an address, so it is not in the history. */
function Locked({ hadToken }: { hadToken: boolean }) {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState(hadToken ? REFUSED_ADDRESS : undefined);
  const enter = async () => {
    const allowed = await logIn(key.trim()).catch(() => undefined);
    if (allowed === true) location.reload();
    else setProblem(allowed === false ? REFUSED_KEY : UNREACHABLE);
  };
  return (
    <main className="nothing">
      <h1>This page needs a key</h1>
      <p>
        Open the address that <code>coxswain console</code> printed last (it works for one browser), or enter
        your key.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <label>
          Key{' '}
          <input
            type="password"
            autoComplete="current-password"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        </label>{' '}
        <button type="submit" className="primary" disabled={key.trim() === ''}>
          Log in
        </button>
      </form>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </main>
  );
}

/** The tab's title says which session it shows and how many need you. */
function useTitle(title: string | undefined): void {
  const sessions = useConsole((state) => state.sessions);
  const needs = [...sessions.values()].reduce((sum, { prompts }) => sum + prompts.length, 0);
  useEffect(() => {
    document.title = `${needs > 0 ? `(${needs}) ` : ''}${title ?? 'Coxswain'}`;
    // An installed page has no tab: its icon shows the number.
    if ('setAppBadge' in navigator) navigator.setAppBadge(needs).catch(() => {});
  }, [title, needs]);
}
