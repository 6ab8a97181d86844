import { useState } from 'react';
import type { McpServerRow, SessionSummary, SupportView } from '../../../src/entry/remote/contract.js';
import { safeLink } from '../conversation/safe-link.js';
import { useCommands } from '../store/context.js';
import { SupportButton } from './support.js';

/** Signs in to a server that requires it: in a separate page, which leads back to the CLI. */
export function SignIn({
  server: { name, status },
  session,
  support,
  reasons,
  onDone,
}: {
  server: McpServerRow;
  session: SessionSummary;
  support: SupportView;
  /** The id of the reasons why it is unavailable. */
  reasons: string;
  onDone: () => void;
}) {
  const { run, busy } = useCommands();
  const [address, setAddress] = useState<string>();
  const to = { session: session.id };
  const begin = async () => {
    const value = await run('mcp.signIn', { server: name }, to);
    if (value?.address === undefined) onDone();
    else setAddress(safeLink(value.address));
  };
  const signOut = async () => {
    await run('mcp.signOut', { server: name }, to);
    onDone();
  };
  const shared = { support, reasons, disabled: busy };
  return (
    <>
      {status === 'needs-auth' && (
        <SupportButton {...shared} data-focus={`sign in ${name}`} onClick={() => void begin()}>
          Sign in
        </SupportButton>
      )}
      {status === 'connected' && (
        <SupportButton {...shared} onClick={() => void signOut()}>
          Sign out
        </SupportButton>
      )}
      {address !== undefined && (
        <Steps server={name} session={session.id} address={address} onDone={onDone} />
      )}
    </>
  );
}

function Steps({
  server,
  session,
  address,
  onDone,
}: {
  server: string;
  session: string;
  address: string;
  onDone: () => void;
}) {
  const { run, busy } = useCommands();
  const [ended, setEnded] = useState('');
  const finish = async () => {
    if ((await run('mcp.signInDone', { server, address: ended.trim() }, { session })) !== undefined) onDone();
  };
  return (
    <form
      className="budget sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        void finish();
      }}
    >
      <p>
        <a href={address} target="_blank" rel="noopener noreferrer">
          Open the sign-in page
        </a>
        . In a browser on the machine of the console that is all: press Reconnect afterwards.
      </p>
      <label>
        On another machine: the final address in your browser, even if that page shows nothing
        <input
          value={ended}
          spellCheck={false}
          placeholder="http://localhost:…/callback?code=…"
          onChange={(event) => setEnded(event.target.value)}
        />
      </label>
      <button type="submit" disabled={busy || ended.trim() === ''}>
        Finish
      </button>
    </form>
  );
}
