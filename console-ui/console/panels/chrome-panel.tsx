import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { useReachable } from '../header/session-facts.js';
import { useCommands, useReach } from '../store/context.js';
import { Panel } from './panel.js';
import { useFresh } from './use-fresh.js';

const ROWS: readonly (readonly [key: string, name: string])[] = [
  ['installed', 'Extension installed'],
  ['enabled', 'Enabled'],
  ['connected', 'Connected'],
  ['mcpServerStatus', 'Its MCP server'],
  ['extensionVersion', 'Version'],
];

/** The state of the Chrome extension, asked for afresh each time the panel is opened. */
export function ChromePanel({ session }: { session: SessionSummary }) {
  const { link, tell } = useReach();
  const { run, busy } = useCommands();
  const connected = useReachable(session);
  const fresh = useFresh(connected, () => link.command('chrome.status', {}, { session: session.id }));
  const reconnect = async () => {
    const value = await run('chrome.reconnect', {}, { session: session.id });
    if (value?.success === false) tell(value.error ?? 'It could not be reconnected.', 'error');
    fresh.ask();
  };
  return (
    <Panel title="Chrome" connected={connected} fresh={fresh}>
      {fresh.value !== undefined && (
        <dl className="facts">
          {ROWS.map(([key, name]) => (
            <div key={key}>
              <dt>{name}</dt>
              <dd>{word(fresh.value?.[key])}</dd>
            </div>
          ))}
        </dl>
      )}
      {connected && (
        <button
          type="button"
          data-focus="reconnect"
          disabled={busy || fresh.asking}
          onClick={() => void reconnect()}
        >
          Reconnect
        </button>
      )}
    </Panel>
  );
}

function word(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return value === null || value === undefined ? 'this CLI does not tell' : String(value);
}
