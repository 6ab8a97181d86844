import { useState } from 'react';
import type { DeviceView, Role } from '../../../src/entry/remote/contract.js';
import { VisibleText } from '../conversation/visible-text.js';
import { browserName } from '../link/browser-name.js';
import { useFresh, useReturn } from '../panels/use-fresh.js';
import { useCommands, useConsole, useIsOpen, useReach } from '../store/context.js';
import { Question } from '../ui/question.js';
import { shortTime } from '../ui/time.js';

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  watcher: 'only views',
  operator: 'sends and answers',
  owner: 'does everything',
};

/** Everything that has access to the server, with its last use. Owners only. */
export function DeviceList() {
  const { link } = useReach();
  const isOwner = useConsole(({ hello }) => hello?.role === 'owner');
  const isOpen = useIsOpen();
  const all = useFresh(isOwner && isOpen, () => link.command('devices', {}));
  useReturn(all.renew);
  if (!isOwner) return null;
  return (
    <section className="worktrees" aria-label="Devices and keys">
      <h2>Devices and keys</h2>
      {all.problem !== undefined && <p className="problem">{all.problem}</p>}
      <ul>
        {(all.value?.devices ?? []).map((device) => (
          <Row key={device.id} device={device} onRevoked={all.renew} />
        ))}
      </ul>
    </section>
  );
}

function Row({ device, onRevoked }: { device: DeviceView; onRevoked: () => void }) {
  const [asks, setAsks] = useState(false);
  const isKey = device.kind === 'key';
  return (
    <li className="worktree">
      <p>
        {isKey ? `Key “${device.key}”` : <Agent agent={device.agent} />}{' '}
        <span className="faint">{isKey ? '' : `with the key “${device.key}”`}</span>
      </p>
      <p className="faint">{facts(device)}</p>
      <div className="server-actions">
        <button type="button" className="danger" onClick={() => setAsks(true)}>
          {isKey ? 'Revoke' : 'Sign out'}
        </button>
      </div>
      {asks && <Revoke device={device} onRevoked={onRevoked} onClose={() => setAsks(false)} />}
    </li>
  );
}

/** A browser in a few words, and what it says of itself to those who point at it. */
function Agent({ agent = 'a browser' }: { agent: string | undefined }) {
  const name = browserName(agent);
  return (
    <span title={agent}>
      <VisibleText text={name.startsWith('a browser') ? agent : name} />
    </span>
  );
}

function facts({ role, own, joined, connected, lastUsedAt, from }: DeviceView): string {
  return [
    ...(own ? ['this browser'] : []),
    ...(joined === true ? ['joined'] : []),
    ROLE_WORDS[role],
    ...(connected > 0 ? ['connected'] : []),
    lastUsedAt === undefined
      ? 'never used'
      : `last used ${shortTime(lastUsedAt)}${from === undefined ? '' : ` from ${from}`}`,
  ].join(' · ');
}

function Revoke({
  device: { id, kind, key, own },
  onRevoked,
  onClose,
}: {
  device: DeviceView;
  onRevoked: () => void;
  onClose: () => void;
}) {
  const { run, busy } = useCommands();
  const revoke = async () => {
    if ((await run('devices.revoke', { device: id })) === undefined) return false;
    onRevoked();
    return true;
  };
  const isKey = kind === 'key';
  return (
    <Question
      title={isKey ? `Revoke the key “${key}”?` : 'Sign this browser out?'}
      yes={isKey ? 'Revoke' : 'Sign out'}
      isDanger
      disabled={busy}
      onYes={revoke}
      onClose={onClose}
    >
      <p>
        {isKey
          ? 'Its programs lose access at once, and so do all browsers that signed in with it.'
          : 'It loses access at once.'}
        {own && ' It is the browser that you are using.'}
      </p>
    </Question>
  );
}
