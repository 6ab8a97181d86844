import type { StoredMsg } from '@nats-io/jetstream';
import type { NatsParts } from './open-engine.js';

/** A part of a stream. */
export interface StoredPart {
  readonly stream: string;
  readonly subject: string;
  /** The first sequence, and the last one, as the leader reported it. */
  readonly from: number;
  readonly to: number;
}

interface Query {
  readonly seq: number;
  readonly next_by_subj: string;
}

/** How many messages to request at once. */
const AT_ONCE = 64;

/** Reads messages that the stream has. Any replica answers; what one that lags does not have comes from the leader. */
export async function* readStored(
  { jsm }: Pick<NatsParts, 'jsm'>,
  { stream, subject, from, to }: StoredPart,
): AsyncGenerator<StoredMsg, void, undefined> {
  for (let next = from; next <= to; ) {
    const before = next;
    const query = { seq: next, next_by_subj: subject };
    for (const message of await batchOf(jsm, stream, query)) {
      if (message.seq > to) return;
      next = message.seq + 1;
      yield message;
    }
    if (next > before) continue;
    const found = await jsm.streams.getMessage(stream, query);
    // Removed meanwhile.
    if (found === null || found.seq > to) return;
    next = found.seq + 1;
    yield found;
  }
}

/** The client gives up on a batch after five seconds, even if all of it is there and its reader takes so long. */
async function batchOf(jsm: NatsParts['jsm'], stream: string, query: Query): Promise<readonly StoredMsg[]> {
  const found: StoredMsg[] = [];
  try {
    for await (const message of await jsm.direct.getBatch(stream, { ...query, batch: AT_ONCE }))
      found.push(message);
  } catch (error) {
    // The rest comes with the next batch.
    if (found.length === 0) throw error;
  }
  return found;
}
