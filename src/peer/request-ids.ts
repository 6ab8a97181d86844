import { randomBytes } from 'node:crypto';
import { formatRequestId } from '../protocol/encode.js';

/** Makes the id of the next request. */
export type MakeRequestId = () => string;

/** Ids of the form `req_<counter>_<hex>`: the counter reads well in a log, the hex cannot be guessed. */
export function randomRequestIds(hex: () => string = () => randomBytes(4).toString('hex')): MakeRequestId {
  let counter = 0;
  return () => {
    counter += 1;
    return formatRequestId(counter, hex());
  };
}
