import { lazy, Suspense, useCallback, useEffect, useId, useMemo, useState } from 'react';
import type { SessionSummary } from '../../src/entry/remote/contract.js';
import { Tabs } from '../shared/tabs.js';
import { ChangesPanel } from './changes/changes-panel.js';
import { Composer } from './composer/composer.js';
import { ConversationView } from './conversation/conversation-view.js';
import { SessionContext } from './conversation/session-context.js';
import { Working } from './conversation/working.js';
import type { FilePlace } from './files/file-links.js';
import { FileViewer } from './files/file-viewer.js';
import { type Finding, useFinding } from './find/use-finding.js';
import { useCanAsk } from './header/session-facts.js';
import { SessionControls, SessionHeader } from './header/session-header.js';
import type { Item } from './model/items.js';
import { NO_VIEW, type SessionView } from './model/view.js';
import { AgentsPanel } from './panels/agents-panel.js';
import { ChromePanel } from './panels/chrome-panel.js';
import { McpPanel } from './panels/mcp-panel.js';
import { RewindDialog } from './panels/rewind-dialog.js';
import { TasksPanel } from './panels/tasks-panel.js';
import { UsagePanel } from './panels/usage-panel.js';
import { PromptDock } from './prompts/prompt-dock.js';
import { useCommands, useConsole, useReach, useWatchOnly } from './store/context.js';
import { go, TABS, type Tab } from './store/route.js';
import { Announcer } from './ui/announcer.js';
import { ErrorBoundary } from './ui/error-boundary.js';
import { Menu } from './ui/menu.js';

/** One session: its header, the selected tab, its open prompt, and the composer. */
export function SessionPage({
  session,
  tab: asked,
  find,
}: {
  session: SessionSummary;
  tab: Tab;
  /** The search terms in the address. */
  find: string | undefined;
}) {
  const view = useView(session.id);
  const connected = useCanAsk(session);
  const watchOnly = useWatchOnly();
  const [rewindTo, setRewindTo] = useState<string>();
  const [sent, setSent] = useState(0);
  const [rewound, setRewound] = useState(0);
  const closeRewind = () => {
    setRewindTo(undefined);
    setRewound((count) => count + 1);
  };
  const onRewind = useCallback((message: string) => setRewindTo(message), []);
  const [file, setFile] = useState<FilePlace>();
  const { id, cwd, queued } = session;
  const [unfolded] = useState(() => new Map<string, boolean>());
  const reach = useMemo(
    () => ({ session: id, cwd, connected, queued, onRewind, rewound, onFile: setFile, unfolded }),
    [id, cwd, connected, queued, onRewind, rewound, unfolded],
  );
  const tab = watchOnly && ASKING.has(asked) ? 'conversation' : asked;
  const finding = useFinding(find, tab === 'conversation');
  const running = [...view.conversation.tasks.values()].filter((task) => task.running).length;
  const { daily, rest } = viewsOf(running, watchOnly);
  const more = rest.map((each) => ({ name: each.title, onPick: () => go(session.id, each.id) }));
  const panel = useId();
  const [settings, setSettings] = useState(false);
  return (
    <main className="session" data-tab={tab} tabIndex={-1}>
      <div className="session-top" data-settings={settings}>
        <SessionHeader
          session={session}
          onFind={tab === 'conversation' ? finding.begin : undefined}
          settings={settings}
          onSettings={() => setSettings(!settings)}
        />
        <div className="session-bar">
          <div className="session-views">
            <Tabs
              label="Views of the session"
              tabs={[...daily, ...rest.filter((each) => each.id === tab)]}
              current={tab}
              controls={panel}
              onChange={(next) => go(session.id, next)}
            />
            <Menu label="More views" className="quiet small more-views" items={more}>
              More ▾
            </Menu>
          </div>
          {connected && <SessionControls session={session} />}
        </div>
      </div>
      <div className="tab-panel" id={panel} role="tabpanel" aria-labelledby={`${panel}-tab-${tab}`}>
        <SessionContext value={reach}>
          <ErrorBoundary place={tab}>
            <TabContent session={session} tab={tab} view={view} sent={sent} finding={finding} />
          </ErrorBoundary>
        </SessionContext>
      </div>
      <div className="session-foot">
        <PromptDock key={String(tab === 'conversation')} session={session} folded={tab !== 'conversation'} />
        {tab === 'conversation' && (
          <Writing
            session={session}
            items={view.conversation.items}
            onSent={() => setSent((count) => count + 1)}
          />
        )}
      </div>
      {rewindTo !== undefined && <RewindDialog session={session} message={rewindTo} onClose={closeRewind} />}
      {file !== undefined && <FileViewer session={id} place={file} onClose={() => setFile(undefined)} />}
      <Announcer view={view} />
    </main>
  );
}

/** Rarely used parts are loaded on demand. */
const InspectorTab = lazy(async () => ({
  default: (await import('./inspector/inspector-tab.js')).InspectorTab,
}));

const FilesPanel = lazy(async () => ({ default: (await import('./files/files-panel.js')).FilesPanel }));

/** The tabs whose content must be requested first. */
const ASKING: ReadonlySet<Tab> = new Set(['changes', 'files', 'mcp', 'agents', 'chrome']);

/** The tabs of every day. */
const DAILY: readonly Tab[] = ['conversation', 'changes', 'files', 'tasks'];

const TITLES: Readonly<Record<Tab, string>> = {
  conversation: 'Conversation',
  changes: 'Changes',
  files: 'Files',
  tasks: 'Tasks',
  mcp: 'MCP',
  agents: 'Agents',
  chrome: 'Chrome',
  usage: 'Usage',
  inspector: 'Inspector',
};

/** The views of a session: those of every day are tabs, the others are in a menu. */
function viewsOf(running: number, watchOnly: boolean) {
  const shown = TABS.filter((id) => !watchOnly || !ASKING.has(id)).map((id) => ({
    id,
    title: id === 'tasks' && running > 0 ? `Tasks (${running})` : TITLES[id],
  }));
  return {
    daily: shown.filter(({ id }) => DAILY.includes(id)),
    rest: shown.filter(({ id }) => !DAILY.includes(id)),
  };
}

function TabContent({
  session,
  tab,
  view,
  sent,
  finding,
}: {
  session: SessionSummary;
  tab: Tab;
  view: SessionView;
  finding: Finding;
  /** How many messages were sent from here. */
  sent: number;
}) {
  switch (tab) {
    case 'conversation':
      return (
        <ConversationView
          session={session.id}
          items={view.conversation.items}
          queued={session.queued}
          cutOff={view.cutOff}
          loading={view === NO_VIEW}
          sent={sent}
          finding={finding}
          working={
            session.state === 'running' && (
              <Working items={view.conversation.items} activity={view.conversation.activity} />
            )
          }
        />
      );
    case 'changes':
      return <ChangesPanel session={session} items={view.conversation.items} />;
    case 'files':
      return (
        <Suspense fallback={<p className="faint centred">Loading…</p>}>
          <FilesPanel key={session.id} session={session} />
        </Suspense>
      );
    case 'tasks':
      return <TasksPanel session={session} tasks={view.conversation.tasks} />;
    case 'mcp':
      return <McpPanel session={session} />;
    case 'agents':
      return <AgentsPanel session={session} />;
    case 'chrome':
      return <ChromePanel session={session} />;
    case 'usage':
      return <UsagePanel session={session} conversation={view.conversation} />;
    case 'inspector':
      return (
        <Suspense fallback={<p className="faint centred">Loading…</p>}>
          <InspectorTab session={session} wire={view.wire} />
        </Suspense>
      );
  }
}

function Writing({
  session,
  items,
  onSent,
}: {
  session: SessionSummary;
  items: readonly Item[];
  onSent: () => void;
}) {
  const watchOnly = useWatchOnly();
  if (session.state === 'ended') return <Ended session={session} />;
  return watchOnly ? null : <Composer session={session} items={items} onSent={onSent} />;
}

function Ended({ session }: { session: SessionSummary }) {
  const { run, busy } = useCommands();
  const watchOnly = useWatchOnly();
  return (
    <div className="ended">
      {/* Why it has is the last row of the conversation. */}
      <p>This session has ended.</p>
      {!watchOnly && (
        <button
          type="button"
          className="primary"
          disabled={busy}
          onClick={() => void run('reopen', {}, { session: session.id })}
        >
          Resume
        </button>
      )}
    </div>
  );
}

/** Follows a session's events while it is shown. */
function useView(session: string): SessionView {
  const { link } = useReach();
  useEffect(() => {
    link.attach(session);
    return () => link.detach(session);
  }, [link, session]);
  return useConsole(({ views }) => views.get(session)) ?? NO_VIEW;
}
