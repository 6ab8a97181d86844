import { useCallback, useEffect, useRef, useState } from 'react';
import type { FolderView } from '../../../src/entry/remote/contract.js';
import { failureText, useReach } from '../store/context.js';
import { foldersAround } from './tree-rows.js';

/** The folders of the tree: those that are known, and those that are open. */
export interface TreeFolders {
  readonly folders: ReadonlyMap<string, FolderView>;
  readonly open: ReadonlySet<string>;
  readonly problem: string | undefined;
  readonly toggle: (path: string) => void;
  /** Lists what is open again. */
  readonly renew: () => void;
}

/** Lists the folders of a session as they are opened; those around the shown file are. */
export function useFolders(session: string, file: string | undefined): TreeFolders {
  const { link } = useReach();
  const [folders, setFolders] = useState<TreeFolders['folders']>(new Map());
  const [open, setOpen] = useState<TreeFolders['open']>(new Set());
  const [problem, setProblem] = useState<string>();
  const opened = useRef(open);
  opened.current = open;
  const load = useCallback(
    (path: string) => {
      link.command('folder', { path }, { session }).then(
        (view) => {
          setProblem(undefined);
          setFolders((known) => new Map(known).set(path, view));
        },
        // A folder below may be gone; its parent says so.
        (error: unknown) => path === '' && setProblem(failureText(error)),
      );
    },
    [link, session],
  );
  const renew = useCallback(() => {
    for (const path of ['', ...opened.current]) load(path);
  }, [load]);
  useEffect(() => load(''), [load]);
  useEffect(() => {
    const around = file === undefined ? [] : foldersAround(file).filter((path) => !opened.current.has(path));
    for (const path of around) load(path);
    if (around.length > 0) setOpen((before) => new Set([...before, ...around]));
  }, [file, load]);
  const toggle = (path: string) => {
    const next = new Set(open);
    if (!next.delete(path)) {
      next.add(path);
      load(path);
    }
    setOpen(next);
  };
  return { folders, open, problem, toggle, renew };
}
