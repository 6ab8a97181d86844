import { useState } from 'react';
import type { CommandValue, SessionSummary } from '../../../src/entry/remote/contract.js';
import { pathFrom } from '../conversation/call-label.js';
import { useCommands, useReach } from '../store/context.js';
import { Dialog } from '../ui/dialog.js';
import { useFresh } from './use-fresh.js';

/** Rewinds files to their state at a message: first shows what would change, then does it on request. */
export function RewindDialog({
  session: { id: session, cwd },
  message,
  onClose,
}: {
  session: SessionSummary;
  message: string;
  onClose: () => void;
}) {
  const { link, tell } = useReach();
  const { run, busy } = useCommands();
  const [done, setDone] = useState(false);
  const trial = useFresh(true, () => link.command('rewind', { message, dryRun: true }, { session }));
  const rewind = async () => {
    const value = await run('rewind', { message }, { session });
    if (value === undefined) return;
    setDone(true);
    tell('The files were restored.');
    onClose();
  };
  const files = trial.value?.filesChanged ?? [];
  const canRewind = trial.value !== undefined && trial.value.canRewind !== false && files.length > 0;
  return (
    <Dialog title="Rewind files to this message" onClose={onClose}>
      {trial.asking && <p className="faint">Checking what would change…</p>}
      {trial.problem !== undefined && <p className="problem">{trial.problem}</p>}
      {trial.value !== undefined && <Trial trial={trial.value} cwd={cwd} />}
      <p className="faint">
        The conversation stays as it is; only files that the model has edited are put back.
      </p>
      <div className="prompt-actions">
        {canRewind && (
          <button type="button" className="danger" disabled={busy || done} onClick={() => void rewind()}>
            Put {files.length === 1 ? 'this file' : `these ${files.length} files`} back
          </button>
        )}
        <button type="button" className="quiet" onClick={onClose}>
          {canRewind ? 'Cancel' : 'Close'}
        </button>
      </div>
    </Dialog>
  );
}

function Trial({ trial, cwd }: { trial: CommandValue<'rewind'>; cwd: string }) {
  const { canRewind, error, filesChanged = [], insertions = 0, deletions = 0 } = trial;
  if (canRewind === false) return <p className="problem">{error ?? 'There are no files to restore here.'}</p>;
  if (filesChanged.length === 0) return <p>Nothing would change.</p>;
  return (
    <>
      <p>
        {filesChanged.length === 1 ? 'One file' : `${filesChanged.length} files`} would change:{' '}
        <span className="added">+{insertions}</span> <span className="removed">−{deletions}</span> lines
      </p>
      <ul className="files">
        {filesChanged.map((file) => (
          <li key={file}>
            <code>{pathFrom(cwd, file)}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
