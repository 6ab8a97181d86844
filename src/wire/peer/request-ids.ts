import { randomBytes } from 'node:crypto';
import { formatRequestId } from '../protocol/encode.js';

/** Creates the id of the next request. */
export type MakeRequestId = () => string;

/** Ids of the form `req_<counter>_<hex>`: the counter reads well in a log, the hex cannot be guessed. */
export function randomRequestIds(hex: () => string = nextHex): MakeRequestId {
  let counter = 0;
  return () => {
    counter += 1;
    return formatRequestId(counter, hex());
  };
}

/** How many hex digits an id has. */
const DIGITS = 8;
/** Random bytes are requested in bulk, for all connections: one by one they cost more than the rest of a request. */
const POOL_BYTES = 1024 * (DIGITS / 2);

let pool = '';
let next = 0;

function nextHex(): string {
  if (next === pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex');
    next = 0;
  }
  next += DIGITS;
  return pool.slice(next - DIGITS, next);
}
