import { useId, useState } from 'react';
import type { McpServerRow, SessionSummary, SupportView } from '../../../src/entry/remote/contract.js';
import type { Action, useAction } from './mcp-action.js';
import { McpTools } from './mcp-tools.js';
import { SignIn } from './sign-in.js';
import { Reasons, SupportButton, useMayChange } from './support.js';

/** One server, with its actions and why some are unavailable. */
export function McpServer({
  server,
  session,
  act,
  signIn: canSignIn,
  onDone,
}: {
  server: McpServerRow;
  session: SessionSummary;
  /** Whether this CLI can sign in to servers. */
  signIn: SupportView;
  onDone: () => void;
  act: ReturnType<typeof useAction>;
}) {
  const [open, setOpen] = useState(false);
  const may = useMayChange();
  const reasons = useId();
  const isOff = server.status === 'disabled';
  const { supports } = server;
  const reconnect = may(supports.mcp_reconnect);
  const change = may(isOff ? supports.mcp_enable : supports.mcp_disable);
  const remove = may(supports.mcp_set_servers);
  const signIn = may(canSignIn);
  const shared = { reasons, disabled: act.busy };
  const press = (action: Action) => () => void act.run(action, server.name);
  return (
    <li className="server" data-status={server.status}>
      <div className="server-head">
        <span className="server-name">{server.name}</span>
        <span className="server-status">{server.status}</span>
        <span className="faint">{serverFacts(server)}</span>
      </div>
      {typeof server.error === 'string' && <p className="problem">{server.error}</p>}
      <div className="server-actions">
        <SupportButton
          {...shared}
          support={supports.mcp_tools}
          disabled={isOff}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          Tools
        </SupportButton>
        <SupportButton
          {...shared}
          support={reconnect}
          disabled={act.busy || isOff}
          data-focus={`reconnect ${server.name}`}
          onClick={press('reconnect')}
        >
          Reconnect
        </SupportButton>
        <SupportButton
          {...shared}
          support={change}
          data-focus={`switch ${server.name}`}
          onClick={press(isOff ? 'enable' : 'disable')}
        >
          {isOff ? 'Enable' : 'Disable'}
        </SupportButton>
        <SupportButton
          {...shared}
          support={remove}
          className="small danger"
          onClick={() => void act.remove(server.name)}
        >
          Remove
        </SupportButton>
        {hasSignIn(server) && (
          <SignIn server={server} session={session} support={signIn} reasons={reasons} onDone={onDone} />
        )}
      </div>
      {change.how !== 'no' && change.outlives === true && (
        <p className="faint">
          The CLI remembers {isOff ? 'Enable' : 'Disable'} for {session.cwd}, even after this session.
        </p>
      )}
      <Reasons
        id={reasons}
        of={[supports.mcp_tools, reconnect, change, remove, ...(hasSignIn(server) ? [signIn] : [])]}
      />
      {open && !isOff && <McpTools session={session.id} server={server.name} />}
    </li>
  );
}

/** Servers with an address may require a sign-in; programs do not. */
function hasSignIn({ transport, status }: McpServerRow): boolean {
  return status === 'needs-auth' || transport === 'http' || transport === 'sse';
}

/** What the CLI reports about a server besides its state. */
function serverFacts({ serverInfo, transport, scope }: McpServerRow): string {
  const info = typeof serverInfo === 'object' && serverInfo !== null ? serverInfo : {};
  const version = 'version' in info ? `version ${String(info.version)}` : undefined;
  return [version, transport, scope].filter((each) => typeof each === 'string').join(' · ');
}
