import { useState } from 'react';
import type { McpServerRow, SessionSummary } from '../../../src/entry/remote/contract.js';
import { useReachable } from '../header/session-facts.js';
import { useReach } from '../store/context.js';
import { type Action, useAction } from './mcp-action.js';
import { McpResults } from './mcp-results.js';
import { McpTools } from './mcp-tools.js';
import { Panel } from './panel.js';
import { useFresh } from './use-fresh.js';

/** The MCP servers of a session, asked for afresh each time the panel is opened and after each action. */
export function McpPanel({ session }: { session: SessionSummary }) {
  const { link } = useReach();
  const connected = useReachable(session);
  const fresh = useFresh(connected, () => link.command('mcp.status', {}, { session: session.id }));
  const [everywhere, setEverywhere] = useState(false);
  const act = useAction(session, everywhere, fresh.ask);
  const servers = fresh.value?.servers ?? [];
  return (
    <Panel title="MCP servers" connected={connected} fresh={fresh}>
      {connected && (
        <>
          <label className="option">
            <input
              type="checkbox"
              checked={everywhere}
              onChange={(event) => setEverywhere(event.target.checked)}
            />
            <span>Act on all sessions that have the server</span>
          </label>
          <p className="faint">
            Newer CLIs remember a server that was disabled or enabled for the folder, also after the session.
          </p>
        </>
      )}
      {act.results !== undefined && <McpResults {...act.results} />}
      {fresh.value !== undefined && servers.length === 0 && <p>This session has no MCP servers.</p>}
      <ul className="servers">
        {servers.map((server) => (
          <Server key={server.name} server={server} session={session.id} act={act} />
        ))}
      </ul>
    </Panel>
  );
}

function Server({
  server,
  session,
  act,
}: {
  server: McpServerRow;
  session: string;
  act: ReturnType<typeof useAction>;
}) {
  const [open, setOpen] = useState(false);
  const isOff = server.status === 'disabled';
  const press = (action: Action) => void act.run(action, server.name);
  return (
    <li className="server" data-status={server.status}>
      <div className="server-head">
        <span className="server-name">{server.name}</span>
        <span className="server-status">{server.status}</span>
        <span className="faint">{serverFacts(server)}</span>
      </div>
      {typeof server.error === 'string' && <p className="problem">{server.error}</p>}
      <div className="server-actions">
        <button
          type="button"
          className="small"
          aria-expanded={open}
          disabled={isOff}
          onClick={() => setOpen(!open)}
        >
          Tools
        </button>
        <button
          type="button"
          className="small"
          data-focus={`reconnect ${server.name}`}
          disabled={act.busy || isOff}
          onClick={() => press('reconnect')}
        >
          Reconnect
        </button>
        <button
          type="button"
          className="small"
          data-focus={`switch ${server.name}`}
          disabled={act.busy}
          onClick={() => press(isOff ? 'enable' : 'disable')}
        >
          {isOff ? 'Enable' : 'Disable'}
        </button>
      </div>
      {open && !isOff && <McpTools session={session} server={server.name} />}
    </li>
  );
}

/** What the CLI tells of a server beside its state. */
function serverFacts({ serverInfo, transport, scope }: McpServerRow): string {
  const info = typeof serverInfo === 'object' && serverInfo !== null ? serverInfo : {};
  const version = 'version' in info ? `version ${String(info.version)}` : undefined;
  return [version, transport, scope].filter((each) => typeof each === 'string').join(' · ');
}
