// @ts-expect-error: a script, without types
import { findNatsServer, findOldNatsServer } from '../../../scripts/lib/nats-server.mjs';
import { describeUnless } from '../describe-unless.js';

/** The server to test with; `npm test` downloads one if possible. */
export const natsProgram: string | undefined = findNatsServer();

/** Why fleet tests cannot run here, or undefined. */
export const noNats =
  natsProgram === undefined
    ? (process.env.COXSWAIN_NO_NATS ?? 'no nats-server found: node scripts/nats-server.mjs gets one')
    : '';

/** A group of tests that need a nats-server: skipped by name, with the reason, if there is none. */
export function withNats(name: string, body: () => void): void {
  describeUnless(noNats, name, body);
}

/** A server that is too old for a fleet. */
export const oldNatsProgram: string | undefined = findOldNatsServer();

/** The same for tests that need an old server as well. */
export function withOldNats(name: string, body: () => void): void {
  const why = process.env.COXSWAIN_NO_OLD_NATS ?? 'no old nats-server found: npm test gets one';
  const isThere = natsProgram !== undefined && oldNatsProgram !== undefined;
  describeUnless(isThere ? '' : why, name, body);
}
