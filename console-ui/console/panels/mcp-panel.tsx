import { useState } from 'react';
import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { useReachable } from '../header/session-facts.js';
import { useReach } from '../store/context.js';
import { AddServer } from './add-server.js';
import { useAction } from './mcp-action.js';
import { McpResults } from './mcp-results.js';
import { McpServer } from './mcp-server.js';
import { Panel } from './panel.js';
import { useFresh } from './use-fresh.js';

/** A session's MCP servers, queried each time the panel is opened and after each action. */
export function McpPanel({ session }: { session: SessionSummary }) {
  const { link } = useReach();
  const connected = useReachable(session);
  const fresh = useFresh(connected, () => link.command('mcp.status', {}, { session: session.id }));
  const [everywhere, setEverywhere] = useState(false);
  const act = useAction(session, everywhere, fresh.ask);
  const servers = fresh.value?.servers ?? [];
  return (
    <Panel title="MCP servers" connected={connected} fresh={fresh} busy={act.busy}>
      {servers.length > 0 && (
        <label className="option">
          <input
            type="checkbox"
            checked={everywhere}
            onChange={(event) => setEverywhere(event.target.checked)}
          />
          <span>Reconnect, enable and disable in all sessions that have the server</span>
        </label>
      )}
      {act.results !== undefined && <McpResults {...act.results} />}
      {fresh.value !== undefined && servers.length === 0 && <p>This session has no MCP servers.</p>}
      <ul className="servers">
        {servers.map((server) => (
          <McpServer
            key={server.name}
            server={server}
            session={session}
            act={act}
            signIn={fresh.value?.signIn ?? UNKNOWN}
            onDone={fresh.ask}
          />
        ))}
      </ul>
      {fresh.value !== undefined && (
        <AddServer session={session} support={fresh.value.add} onDone={fresh.ask} />
      )}
    </Panel>
  );
}

const UNKNOWN = { how: 'no' } as const;
