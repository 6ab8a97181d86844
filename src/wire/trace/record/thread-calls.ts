import type { Diagnostic } from '../../util/diagnostics.js';
import type { Sender } from '../format.js';
import type { ScribeOptions } from './scribe.js';

/** What the host says to the thread that writes recordings; `id` is the recording it is about. */
export type ThreadCall = { readonly id: number } & (
  | { readonly call: 'begin'; readonly options: ScribeOptions; readonly cells: Int32Array }
  | { readonly call: 'entry'; readonly t: number; readonly text: string; readonly lasting: boolean }
  | {
      readonly call: 'lines';
      readonly t: number;
      readonly from: Sender;
      readonly text: string;
      readonly count: number;
    }
  | { readonly call: 'lose'; readonly count: number }
  | { readonly call: 'close' }
);

/** What the thread says to the host. */
export type ThreadReply = { readonly id: number } & (
  | { readonly reply: 'diagnostic'; readonly diagnostic: Diagnostic }
  | { readonly reply: 'closed' }
);

/** Memory that both sides see, one piece for each recording: how much was dealt with (modulo 2^32), whether all is safe. */
export const CELLS = { handled: 0, closed: 1, count: 2 } as const;

/** What a call takes up while it waits. */
export function sizeOf(call: ThreadCall): number {
  return CALL_SIZE + ('text' in call ? call.text.length : 0);
}

const CALL_SIZE = 64;
