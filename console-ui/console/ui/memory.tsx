import type { MemoryView } from '../../../src/entry/remote/contract.js';
import { mebibytes } from '../../../src/wire/util/numbers.js';
import { memoryWords } from './memory-words.js';

/** A CLI's memory, with a warning if it is unusual. */
export function Memory({ memory }: { memory: MemoryView }) {
  const { bytes, growing, over } = memory;
  return (
    <span
      className="memory"
      data-level={over ? 'over' : growing ? 'growing' : undefined}
      title={memoryWords(memory)}
    >
      {mebibytes(bytes)}
      {growing && <span aria-hidden="true"> ↗</span>}
      {(growing || over) && <span className="hidden">, {over ? 'too much' : 'growing'}</span>}
    </span>
  );
}
