import { randomBytes } from 'node:crypto';
import { formatRequestId } from '../protocol/encode.js';

/** Makes the id of the next request. */
export type MakeRequestId = () => string;

/** Ids of the form `req_<counter>_<hex>`: the counter reads well in a log, the hex cannot be guessed. */
export function randomRequestIds(hex: () => string = randomHex()): MakeRequestId {
  let counter = 0;
  return () => {
    counter += 1;
    return formatRequestId(counter, hex());
  };
}

const BYTES = 4;
/** Random bytes are asked for in bulk: one by one they cost more than the rest of a request. */
const POOL_BYTES = 1024 * BYTES;

function randomHex(): () => string {
  let pool = Buffer.alloc(0);
  let next = 0;
  return () => {
    if (next === pool.length) {
      pool = randomBytes(POOL_BYTES);
      next = 0;
    }
    next += BYTES;
    return pool.toString('hex', next - BYTES, next);
  };
}
