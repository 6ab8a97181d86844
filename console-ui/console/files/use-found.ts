import { useEffect, useState } from 'react';
import { useReach } from '../store/context.js';

const LISTED = 100;
/** How long somebody types before it is searched. */
const PAUSE_MS = 120;

/** The files whose names match; undefined while nothing is known. */
export function useFound(session: string, search: string): readonly string[] | undefined {
  const { link } = useReach();
  const [found, setFound] = useState<readonly string[]>();
  const wanted = search.trim();
  useEffect(() => {
    if (wanted === '') return;
    let isOld = false;
    const timer = setTimeout(() => {
      link.command('files', { search: wanted, limit: LISTED }, { session }).then(
        ({ files }) => isOld || setFound(files.filter((path) => !path.endsWith('/'))),
        () => isOld || setFound([]),
      );
    }, PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [link, session, wanted]);
  return wanted === '' ? undefined : found;
}
