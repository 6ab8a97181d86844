import { describe, expect, it } from 'vitest';
import { Link, type Socket } from '../../../../console-ui/console/link/link.js';
import type { LinkState } from '../../../../console-ui/console/store/state.js';
import type { ServerMessage } from '../../../../src/entry/remote/contract.js';

/** The other end of a socket, played by the test. */
class TestSocket implements Socket {
  onopen: Socket['onopen'] = null;
  onclose: Socket['onclose'] = null;
  onmessage: Socket['onmessage'] = null;
  readonly sent: Record<string, unknown>[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(code = 1006): void {
    this.onclose?.({ code });
  }

  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  greet(server = 'server-1'): this {
    this.onopen?.();
    this.say({ type: 'hello', protocol: 1, server });
    return this;
  }

  ofType(type: string): readonly Record<string, unknown>[] {
    return this.sent.filter((message) => message.type === type);
  }
}

function setUp({ loggedIn = true, last = 0 } = {}) {
  const sockets: TestSocket[] = [];
  const states: LinkState[] = [];
  const messages: ServerMessage[] = [];
  const batches: (readonly ServerMessage[])[] = [];
  const timers: { ms: number; run: () => void; isOff: boolean }[] = [];
  let ids = 0;
  const link = new Link({
    openSocket: () => {
      const socket = new TestSocket();
      sockets.push(socket);
      return socket;
    },
    isLoggedIn: async () => loggedIn,
    client: { client: 'me', name: 'test' },
    onMessages: (batch) => {
      messages.push(...batch);
      batches.push(batch);
    },
    onState: (state) => states.push(state),
    positionOf: () => ({ after: last }),
    makeId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    after: (ms, run) => {
      const timer = { ms, run, isOff: false };
      timers.push(timer);
      return () => {
        timer.isOff = true;
      };
    },
  });
  link.connect();
  const runTimers = async () => {
    // All but the long one that gives up.
    for (const timer of timers.splice(0)) if (!timer.isOff && timer.ms < 60_000) timer.run();
    await Promise.resolve();
    await Promise.resolve();
  };
  const socket = (index: number) => {
    const found = sockets[index];
    if (found === undefined) throw new Error(`there is no socket ${index}`);
    return found;
  };
  return { link, socket, sockets, states, messages, batches, timers, runTimers };
}

const lost = async (promise: Promise<unknown>) =>
  await promise.then(
    () => 'done',
    (error: Error) => error.message,
  );

describe('a link', () => {
  it('introduces itself, and attaches with the last number that it knows', () => {
    const { link, socket } = setUp({ last: 12 });
    link.attach('s1');
    expect(socket(0).sent).toEqual([]);
    socket(0).greet();
    expect(socket(0).sent).toEqual([
      { type: 'hello', client: 'me', name: 'test' },
      { type: 'attach', session: 's1', after: 12 },
    ]);
    link.detach('s1');
    expect(socket(0).ofType('detach')).toHaveLength(1);
  });

  it('asks for the latest events of a session first, and for earlier ones on demand', () => {
    const { link, socket } = setUp();
    link.attach('s1');
    socket(0).greet();
    link.fetchEarlier('s1');
    link.fetchEarlier('s1');
    const asked = socket(0).ofType('attach');
    expect(asked.map(({ after }) => after)).toEqual([0, 0, 0]);
    const tails = asked.map(({ tail }) => Number(tail));
    expect(tails[0]).toBeLessThan(1024 * 1024);
    expect(tails).toEqual([...new Set(tails)].toSorted((one, other) => one - other));
  });

  it('delivers many messages in slices, none so long that it blocks the page', async () => {
    const { socket, batches, runTimers } = setUp();
    socket(0).greet();
    for (let n = 1; n <= 1_000; n += 1) socket(0).say({ type: 'event', session: 's1', n, at: n, event: {} });
    for (let rounds = 0; rounds < 10; rounds += 1) await runTimers();
    expect(batches.flat().filter(({ type }) => type === 'event')).toHaveLength(1_000);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThan(500);
  });

  it('answers commands, or says why they were refused', async () => {
    const { link, socket } = setUp();
    socket(0).greet();
    const good = link.command('send', { content: 'hi' }, { session: 's1' });
    const bad = link.command('interrupt', {}, { session: 's1' });
    expect(socket(0).ofType('command')).toMatchObject([{ id: 'id-1', name: 'send' }, { id: 'id-2' }]);
    socket(0).say({
      type: 'done',
      id: 'id-2',
      ok: false,
      error: { code: 'SESSION_ENDED', message: 'It has ended.' },
    });
    socket(0).say({ type: 'done', id: 'id-1', ok: true, value: { uuid: 'u' } });
    await expect(good).resolves.toEqual({ uuid: 'u' });
    await expect(bad).rejects.toMatchObject({ code: 'SESSION_ENDED', message: 'It has ended.' });
  });

  it('delivers earlier messages before the answer to a command', async () => {
    const { link, socket, messages } = setUp();
    socket(0).greet();
    const done = link.command('close', {}, { session: 's1' });
    socket(0).say({ type: 'session-removed', session: 's1' });
    socket(0).say({ type: 'done', id: 'id-1', ok: true, value: {} });
    await done;
    expect(messages.map(({ type }) => type)).toEqual(['hello', 'session-removed']);
  });

  it('resends commands in flight after a reconnect, with their old ids', async () => {
    const { link, socket, runTimers, states } = setUp();
    socket(0).greet();
    link.attach('s1');
    const sent = link.command('send', { content: 'hi' }, { session: 's1' });
    socket(0).close();
    await runTimers();
    socket(1).greet();
    expect(socket(1).ofType('command')).toEqual(socket(0).ofType('command'));
    expect(socket(1).ofType('attach')).toHaveLength(1);
    socket(1).say({ type: 'done', id: 'id-1', ok: true, value: { uuid: 'id-1' } });
    await expect(sent).resolves.toEqual({ uuid: 'id-1' });
    expect(states).toEqual(['open', 'lost', 'open']);
  });

  it('does not resend a command that was too large for the server', async () => {
    const { link, socket, runTimers } = setUp();
    socket(0).greet();
    const large = lost(link.command('send', { content: 'hi'.repeat(100) }, { session: 's1' }));
    void link.command('interrupt', {}, { session: 's1' });
    socket(0).close(1009);
    expect(await large).toContain('too large');
    await runTimers();
    socket(1).greet();
    expect(socket(1).ofType('command')).toMatchObject([{ name: 'interrupt' }]);
  });

  it('resends nothing to a restarted server', async () => {
    const { link, socket, runTimers } = setUp();
    socket(0).greet('server-1');
    const sent = lost(link.command('send', { content: 'hi' }, { session: 's1' }));
    socket(0).close();
    await runTimers();
    socket(1).greet('server-2');
    expect(await sent).toContain('may or may not');
    expect(socket(1).ofType('command')).toEqual([]);
  });

  it('queues no command while disconnected', async () => {
    const { link, socket, runTimers } = setUp();
    expect(await lost(link.command('interrupt', {}, { session: 's1' }))).toContain('Not connected');
    socket(0).greet();
    socket(0).close();
    expect(await lost(link.command('interrupt', {}, { session: 's1' }))).toContain('Not connected');
    await runTimers();
    socket(1).greet();
    expect(socket(1).ofType('command')).toEqual([]);
  });

  it('gives up on commands if the connection stays down', async () => {
    const { link, socket, timers } = setUp();
    socket(0).greet();
    const sent = lost(link.command('send', { content: 'hi' }, { session: 's1' }));
    socket(0).close();
    timers.find(({ ms }) => ms === 60_000)?.run();
    expect(await sent).toContain('may or may not');
  });

  it('detects a dead connection that looks open, and opens another', async () => {
    const { link, socket, sockets, timers, runTimers, states } = setUp();
    socket(0).greet();
    link.attach('s1');
    link.check();
    socket(0).say({ type: 'done', id: 'id-1', ok: true, value: { folders: [] } });
    await Promise.resolve();
    await runTimers();
    expect(sockets).toHaveLength(1);
    link.check();
    timers.find(({ ms, isOff }) => ms === 5_000 && !isOff)?.run();
    await runTimers();
    socket(1).greet();
    expect(states).toEqual(['open', 'lost', 'open']);
    socket(0).say({ type: 'session-removed', session: 's1' });
    expect(socket(1).ofType('attach')).toHaveLength(1);
  });

  it('waits longer after each failure, up to a limit', async () => {
    const { sockets, timers, runTimers } = setUp();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      sockets.at(-1)?.close();
      waits.push(timers.at(-1)?.ms ?? 0);
      await runTimers();
    }
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  });

  it('stops trying if the page is not logged in', async () => {
    const { socket, sockets, states, runTimers } = setUp({ loggedIn: false });
    socket(0).close();
    await runTimers();
    expect(states.at(-1)).toBe('locked');
    expect(sockets).toHaveLength(1);
  });

  it('closes for good', async () => {
    const { link, socket, sockets, runTimers } = setUp();
    socket(0).greet();
    const sent = lost(link.command('send', { content: 'hi' }, { session: 's1' }));
    link.close();
    await runTimers();
    expect(await sent).toContain('closed');
    expect(sockets).toHaveLength(1);
  });
});
