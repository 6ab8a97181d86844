import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { VisibleText } from '../conversation/visible-text.js';
import { type TreeRow, treeRows, treeStep } from './tree-rows.js';
import type { TreeFolders } from './use-folders.js';

/** The files of a folder as a tree: arrows move and open, Enter shows a file. */
export function FileTree({
  tree: { folders, open, toggle },
  shown,
  onPick,
}: {
  tree: TreeFolders;
  /** The file that is shown. */
  shown: string | undefined;
  onPick: (path: string) => void;
}) {
  const rows = useMemo(() => treeRows(folders, open), [folders, open]);
  const [wanted, setWanted] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const known = (path: string | undefined) => rows.some((row) => row.path === path);
  const current = [wanted, shown].find(known) ?? rows[0]?.path;
  const moved = useRef(false);
  useEffect(() => {
    if (!moved.current || current === undefined) return;
    moved.current = false;
    list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = treeStep(rows, current, event.key);
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (step.to !== undefined && step.to !== current) {
      moved.current = true;
      setWanted(step.to);
    }
    if (step.toggle !== undefined) toggle(step.toggle);
    if (step.pick !== undefined) onPick(step.pick);
  };
  return (
    <div ref={list} role="tree" aria-label="Files" className="tree" onKeyDown={onKeyDown}>
      {rows.map((row) => (
        <Row
          key={row.path}
          row={row}
          isCurrent={row.path === current}
          isShown={row.path === shown}
          onPress={() => {
            setWanted(row.path);
            if (row.isOpen === undefined) onPick(row.path);
            else toggle(row.path);
          }}
        />
      ))}
    </div>
  );
}

function Row({
  row: { path, name, kind, level, isOpen },
  isCurrent,
  isShown,
  onPress,
}: {
  row: TreeRow;
  isCurrent: boolean;
  isShown: boolean;
  onPress: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys
    <div
      role="treeitem"
      className="tree-row"
      aria-level={level}
      aria-expanded={isOpen}
      aria-selected={isShown}
      tabIndex={isCurrent ? 0 : -1}
      data-kind={kind}
      title={kind === 'link' ? `${path} (a link)` : path}
      style={{ paddingInlineStart: `${8 + (level - 1) * 14}px` }}
      onClick={onPress}
    >
      <span className="tree-mark" aria-hidden="true">
        {isOpen === undefined ? '' : isOpen ? '⌄' : '›'}
      </span>
      <span className="tree-name">
        <VisibleText text={name} />
      </span>
    </div>
  );
}
