import { expect, test } from 'vitest';
import { CLOSE_CODES } from '../../../../src/entry/remote/contract.js';
import { Outlet, type OutletSocket } from '../../../../src/server/console/socket/outlet.js';
import { ManualClock } from '../../../support/manual-clock.js';

/** A socket whose other end accepts one frame at a time, when told to. */
class SlowSocket implements OutletSocket {
  readonly OPEN = 1;
  readyState: 1 | 3 = 1;
  bufferedAmount = 0;
  closedWith: number | undefined;
  readonly messages: string[] = [];
  #begun: Buffer[] = [];
  #frames: { readonly data: Buffer; readonly fin: boolean; readonly taken: (error?: Error) => void }[] = [];

  get frames(): number {
    return this.#frames.length;
  }

  send(data: string | Buffer, { fin }: { fin: boolean }, taken: (error?: Error) => void): void {
    const bytes = Buffer.from(data);
    this.bufferedAmount += bytes.length;
    this.#frames.push({ data: bytes, fin, taken });
  }

  take(): void {
    const frame = this.#frames.shift();
    if (frame === undefined) throw new Error('There is nothing to take.');
    this.bufferedAmount -= frame.data.length;
    this.#begun.push(frame.data);
    if (frame.fin) {
      this.messages.push(Buffer.concat(this.#begun).toString());
      this.#begun = [];
    }
    frame.taken();
  }

  takeAll(): void {
    while (this.#frames.length > 0) this.take();
  }

  close(code?: number): void {
    this.closedWith = code;
  }

  terminate(): void {
    this.readyState = 3;
    for (const { taken } of this.#frames.splice(0)) taken(new Error('gone'));
  }
}

const LIMITS = { highWater: 1_000_000, maxWaiting: 100_000, patienceMs: 60_000 };
/** Its characters are split wherever a piece ends. */
const LONG = '€'.repeat(1_000_000);

function setUp(limits = LIMITS) {
  const [socket, clock] = [new SlowSocket(), new ManualClock()];
  return { socket, clock, outlet: new Outlet(socket, clock, limits) };
}

test('a long text is sent in pieces, one after the other, and arrives whole before later texts', () => {
  const { socket, outlet } = setUp();
  outlet.send('first');
  outlet.sendEvent(LONG);
  outlet.send('behind');
  outlet.sendEvent(LONG);
  outlet.send('last');
  expect(socket.frames).toBe(2);
  expect(outlet.behind).toBeGreaterThan(LONG.length * 3);
  socket.takeAll();
  expect(socket.messages).toEqual(['first', LONG, 'behind', LONG, 'last']);
  expect(outlet.behind).toBe(0);
});

test('short texts are sent at once', () => {
  const { socket, outlet } = setUp();
  for (const text of ['one', 'two', 'three']) outlet.sendEvent(text);
  expect(socket.frames).toBe(3);
});

test('a client that accepts a long text slowly is not dropped, and one that accepts nothing is', () => {
  const { socket, clock, outlet } = setUp();
  outlet.sendEvent(LONG);
  for (let piece = 0; piece < 10; piece += 1) {
    clock.advance(LIMITS.patienceMs - 1);
    socket.take();
  }
  // The check at the end of the time in which it accepted something is the last good one.
  clock.advance(LIMITS.patienceMs);
  expect(socket.closedWith).toBeUndefined();
  clock.advance(LIMITS.patienceMs);
  expect(socket.closedWith).toBe(CLOSE_CODES.tooSlow);
  expect(outlet.open).toBe(false);
});

test('a client that is up to date has no timer, and a disconnected one leaves nothing', async () => {
  const { socket, clock, outlet } = setUp();
  outlet.sendEvent(LONG);
  const drained = outlet.drained();
  socket.takeAll();
  await drained;
  expect(clock.size).toBe(0);
  outlet.sendEvent(LONG);
  const never = outlet.drained();
  socket.terminate();
  outlet.end();
  await never;
  expect(clock.size).toBe(0);
});

test('waiting answers and summaries are limited, whatever event they wait behind', () => {
  const { socket, outlet } = setUp();
  outlet.sendEvent(LONG);
  for (let count = 0; count < 11; count += 1) outlet.send('x'.repeat(10_000));
  expect(outlet.open).toBe(true);
  outlet.send('one too many');
  expect(socket.closedWith).toBe(CLOSE_CODES.tooSlow);
});

test('a single answer is never too much', () => {
  const { socket, outlet } = setUp();
  outlet.send(LONG);
  outlet.send('a summary');
  outlet.send('another');
  socket.takeAll();
  expect(socket.messages).toEqual([LONG, 'a summary', 'another']);
});

/** So many that shifting all of them for each one sent would take minutes. */
const MANY = 500_000;

test('very many texts behind a long one cost no more each than a few', { timeout: 20_000 }, () => {
  const { socket, outlet } = setUp({ ...LIMITS, maxWaiting: 10 * MANY });
  outlet.sendEvent(LONG);
  for (let count = 0; count < MANY; count += 1) outlet.send('short');
  let handed = 0;
  socket.send = (_data, { fin }, taken) => {
    if (fin) handed += 1;
    taken();
  };
  socket.take();
  // The long one was sent too.
  expect(handed).toBe(MANY + 1);
  expect(outlet.behind).toBe(0);
});

test('the socket is closed after everything that waits for the client', () => {
  const { socket, outlet } = setUp();
  outlet.sendEvent(LONG);
  outlet.send('the end of a session');
  outlet.close(CLOSE_CODES.goingAway);
  expect(socket.closedWith).toBeUndefined();
  socket.takeAll();
  expect(socket.messages).toEqual([LONG, 'the end of a session']);
  expect(socket.closedWith).toBe(CLOSE_CODES.goingAway);
});

test('the socket is closed at once if nothing waits', () => {
  const { socket, outlet } = setUp();
  outlet.close(CLOSE_CODES.goingAway);
  expect(socket.closedWith).toBe(CLOSE_CODES.goingAway);
});
