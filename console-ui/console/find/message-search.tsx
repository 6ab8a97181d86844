import { useEffect, useState } from 'react';
import type { FoundConversation } from '../../../src/entry/remote/contract.js';
import { useResume } from '../sidebar/use-resume.js';
import { failureText, useIsOpen, useReach } from '../store/context.js';
import { Ago } from '../ui/ago.js';
import { folderName } from '../ui/names.js';
import { findWords } from './item-text.js';

const WHO = { user: 'You', assistant: 'Claude', tool: 'Tool' } as const;
/** Enough results to choose from. */
const MOST = 100;

/** Searches the messages of all conversations on disk; shows results as they are found. */
export function MessageSearch({ search }: { search: string }) {
  const text = search.trim();
  // The submitted search: it is more expensive than filtering titles, so it does not run for each letter.
  const [asked, setAsked] = useState<string>();
  if (text === '') return null;
  return (
    <section aria-label="In messages">
      <h2 className="list-title">In messages</h2>
      {asked === text ? (
        <Results key={text} text={text} />
      ) : (
        <button type="button" className="quiet small" onClick={() => setAsked(text)}>
          Find “{text}” in all messages
        </button>
      )}
    </section>
  );
}

function Results({ text }: { text: string }) {
  const { found, isOver, problem, stop } = useSearch(text);
  const { resume, busy } = useResume();
  return (
    <>
      <p className="faint pad" role="status">
        {isOver ? (found.length === 0 ? 'No results.' : `${found.length} found.`) : 'Searching… '}
        {!isOver && (
          <button type="button" className="quiet small" onClick={stop}>
            Stop
          </button>
        )}
      </p>
      {problem !== undefined && <p className="problem pad">{problem}</p>}
      <ul className="session-list">
        {found.map((entry) => (
          <li key={entry.conversation}>
            <button
              type="button"
              className="session-row"
              disabled={busy}
              onClick={() => void resume(entry, text)}
            >
              <span className="session-title">{entry.title}</span>
              {entry.messages.slice(0, 3).map(({ uuid, by, text: piece }) => (
                <span key={uuid} className="found-text">
                  <span className="faint">{WHO[by]}: </span>
                  <Marked text={piece} words={findWords(text)} />
                </span>
              ))}
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
    </>
  );
}

/** A text with some words marked. */
function Marked({ text, words }: { text: string; words: readonly string[] }) {
  const pattern = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const parts = text.split(new RegExp(`(${pattern})`, 'gi'));
  return parts.map((part, index) => {
    // A part is identified by its position, and never moves.
    const key = `${index}`;
    return index % 2 === 1 ? <mark key={key}>{part}</mark> : <span key={key}>{part}</span>;
  });
}

function useSearch(text: string) {
  const { link } = useReach();
  const isOpen = useIsOpen();
  const [found, setFound] = useState<readonly FoundConversation[]>([]);
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (isOver || !isOpen) return;
    let isWanted = true;
    const look = async () => {
      let all: readonly FoundConversation[] = [];
      let after: string | undefined;
      do {
        const value = await link.command('history.search', {
          text,
          ...(after === undefined ? {} : { after }),
        });
        if (!isWanted) return;
        // Two workers of a fleet may have the same conversation.
        const known = new Set(all.map(({ conversation }) => conversation));
        const fresh = value.found.filter(({ conversation }) => !known.has(conversation));
        all = [...all, ...fresh].slice(0, MOST);
        setFound(all);
        after = value.next;
      } while (after !== undefined && all.length < MOST);
      setOver(true);
    };
    look().catch((error: unknown) => {
      if (!isWanted) return;
      setProblem(failureText(error));
      setOver(true);
    });
    return () => {
      isWanted = false;
    };
  }, [link, text, isOver, isOpen]);
  return { found, isOver, problem, stop: () => setOver(true) };
}
