import { useEffect, useState } from 'react';
import type { JoinAnswer, Role } from '../../../src/entry/remote/contract.js';
import { CopyButton } from '../../shared/copy-button.js';
import { failureText, useConsole } from '../store/context.js';
import { Dialog } from '../ui/dialog.js';
import { DeviceList } from './device-list.js';
import { askToJoin, isLocal, joinAddress, rolesWithin } from './join.js';
import { QrCode } from './qr-code.js';

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  watcher: 'can only view',
  operator: 'can send messages and answer prompts',
  owner: 'can do everything',
};

/** Lets a second device in, such as a phone, with a code that works once and for two minutes. */
export function AddDevice() {
  const [open, setOpen] = useState(false);
  const own = useConsole(({ hello }) => hello?.role);
  // Whom it may let in is not known before the server has said so.
  if (own === undefined || own === 'watcher') return null;
  return (
    <>
      <button type="button" className="quiet" onClick={() => setOpen(true)}>
        Add a device
      </button>
      {open && (
        <Dialog title="Add a device" onClose={() => setOpen(false)}>
          <Joining own={own} />
          <DeviceList />
        </Dialog>
      )}
    </>
  );
}

function Joining({ own }: { own: Role }) {
  const roles = rolesWithin(own);
  const [role, setRole] = useState<Role>(own === 'owner' ? 'operator' : own);
  const { joining, problem, renew } = useJoining(role);
  const isOver = useIsOver(joining);
  const [anyway, setAnyway] = useState(false);
  return (
    <>
      <label className="form-field">
        The device
        <select value={role} onChange={(event) => setRole(event.target.value as Role)}>
          {roles.map((each) => (
            <option key={each} value={each}>
              {ROLE_WORDS[each]}
            </option>
          ))}
        </select>
      </label>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}{' '}
          <button type="button" onClick={renew}>
            Try again
          </button>
        </p>
      )}
      {joining !== undefined && !isOver && (
        <Code joining={joining} anyway={anyway} onAnyway={() => setAnyway(true)} />
      )}
      {isOver && (
        <p role="status">
          This code has expired.{' '}
          <button type="button" onClick={renew}>
            New code
          </button>
        </p>
      )}
    </>
  );
}

function Code({
  joining,
  anyway,
  onAnyway,
}: {
  joining: JoinAnswer;
  /** Whether to show it even if other devices cannot reach its address. */
  anyway: boolean;
  onAnyway: () => void;
}) {
  const address = joinAddress(joining, location.origin);
  const isOnlyHere = isLocal(new URL(address).origin);
  return (
    <>
      {isOnlyHere && (
        <p className="problem">
          This console can be reached only from this machine. Forward its port to the other device, or start
          it with --host or --public-url.{' '}
          {!anyway && (
            <button type="button" className="small" onClick={onAnyway}>
              Show the code anyway
            </button>
          )}
        </p>
      )}
      {(!isOnlyHere || anyway) && (
        <QrCode text={address} label="QR code with the address for the other device" />
      )}
      <p>
        {(!isOnlyHere || anyway) && 'Scan it with the camera of the other device. '}
        The address works for one browser, once, within the next {Math.round(joining.goodForMs / 60_000)}{' '}
        minutes. <CopyButton text={address} label="Copy the address" className="small" />
      </p>
    </>
  );
}

/** A code for a role, created when it is shown; a new one on request. */
function useJoining(role: Role) {
  const [joining, setJoining] = useState<JoinAnswer>();
  const [problem, setProblem] = useState<string>();
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks for a new code
  useEffect(() => {
    let isCurrent = true;
    setJoining(undefined);
    setProblem(undefined);
    askToJoin(role).then(
      (answer) => isCurrent && setJoining(answer),
      (error: unknown) => isCurrent && setProblem(failureText(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [role, round]);
  return { joining, problem, renew: () => setRound((before) => before + 1) };
}

function useIsOver(joining: JoinAnswer | undefined): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    setOver(false);
    if (joining === undefined) return;
    const timer = setTimeout(() => setOver(true), joining.goodForMs);
    return () => clearTimeout(timer);
  }, [joining]);
  return isOver;
}
