import { useEffect, useState } from 'react';
import type { UsageRow } from '../../../src/entry/remote/contract.js';
import { failureText, useIsOpen, useReach } from '../store/context.js';

/** The usage of the last days, as it is read from disk. */
export function useUsage(days: number): {
  readonly rows: readonly UsageRow[];
  readonly isOver: boolean;
  readonly problem: string | undefined;
} {
  const { link } = useReach();
  const isOpen = useIsOpen();
  const [rows, setRows] = useState<readonly UsageRow[]>([]);
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    const read = async () => {
      let all: readonly UsageRow[] = [];
      let after: string | undefined;
      do {
        const params = after === undefined ? { days } : { days, after };
        const value = await link.command('history.usage', params);
        if (!isCurrent) return;
        all = [...all, ...value.rows];
        setRows(all);
        after = value.next;
      } while (after !== undefined);
      setOver(true);
    };
    setRows([]);
    setOver(false);
    setProblem(undefined);
    read().catch((error: unknown) => isCurrent && setProblem(failureText(error)));
    return () => {
      isCurrent = false;
    };
  }, [link, days, isOpen]);
  return { rows, isOver, problem };
}
