import { useEffect, useState } from 'react';
import type { HistoryEntry } from '../../../src/entry/remote/contract.js';
import { failureText, useIsOpen, useReach } from '../store/context.js';
import { Ago } from '../ui/ago.js';
import { folderName } from '../ui/names.js';
import { useResume } from './use-resume.js';

/** How long to wait for the next letter of a search. */
const PAUSE_MS = 250;
const LIMIT = 50;

/** Earlier conversations on disk, for resuming. Loaded when this is opened. */
export function History({ search }: { search: string }) {
  const [open, setOpen] = useState(false);
  return (
    <section aria-label="Earlier conversations">
      <h2 className="list-title">
        <button type="button" className="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          Earlier, on disk
        </button>
      </h2>
      {open && <HistoryList search={search} />}
    </section>
  );
}

function HistoryList({ search }: { search: string }) {
  const { entries, problem } = useHistory(search);
  const { resume, busy } = useResume();
  if (problem !== undefined) return <p className="problem pad">{problem}</p>;
  if (entries === undefined) return <p className="faint pad">Looking…</p>;
  if (entries.length === 0)
    return <p className="faint pad">{search === '' ? 'No conversations found.' : 'No matches.'}</p>;
  return (
    <ul className="session-list">
      {entries.map((entry) => (
        <li key={entry.conversation}>
          <button type="button" className="session-row" disabled={busy} onClick={() => void resume(entry)}>
            <span className="session-title">{entry.title}</span>
            <span className="session-line">
              <span className="faint session-folder" title={entry.cwd}>
                {entry.cwd === undefined ? '' : folderName(entry.cwd)}
              </span>
              <span className="faint session-meta">
                <Ago at={entry.changedAt} />
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function useHistory(search: string): {
  readonly entries: readonly HistoryEntry[] | undefined;
  readonly problem: string | undefined;
} {
  const { link } = useReach();
  const isOpen = useIsOpen();
  const [entries, setEntries] = useState<readonly HistoryEntry[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    const look = () => {
      const wanted = search.trim();
      link.command('history', { limit: LIMIT, ...(wanted === '' ? {} : { search: wanted }) }).then(
        ({ conversations }) => {
          if (!isCurrent) return;
          setEntries(conversations);
          setProblem(undefined);
        },
        (error: unknown) => isCurrent && setProblem(failureText(error)),
      );
    };
    const timer = setTimeout(look, search === '' ? 0 : PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [link, search, isOpen]);
  return { entries, problem };
}
