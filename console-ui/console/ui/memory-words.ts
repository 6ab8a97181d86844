import type { MemoryView } from '../../../src/entry/remote/contract.js';
import { mebibytes } from '../../../src/wire/util/numbers.js';

/** A CLI's memory, for people. */
export function memoryWords({ bytes, processes, growing, over }: MemoryView): string {
  const whose = processes === 1 ? 'by the CLI' : `by the CLI and ${processes - 1} more`;
  const remarks = [growing && 'growing', over && 'more than the limit'].filter(Boolean);
  return [`${mebibytes(bytes)} of memory ${whose}`, ...remarks].join(', ');
}
