import assert from 'node:assert/strict';
import type { Transport } from '../../../wire/transport/transport.js';
import { deferred } from '../../../wire/util/deferred.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** One promise of a contract, runnable in any test runner. */
export interface ContractCase {
  /** The condition. */
  readonly name: string;
  /** Rejects if it does not. */
  readonly run: () => Promise<void>;
}

/** Creates a new transport whose other side speaks the language of `echoPartner`. */
export type MakeTransport = () => Transport | Promise<Transport>;

/**
 * The promises of the {@link Transport} interface as test cases.
 * @example for (const { name, run } of transportContract(make)) test(name, run);
 */
export function transportContract(make: MakeTransport): readonly ContractCase[] {
  return Object.entries(promises).map(([name, body]) => ({
    name,
    run: async () => {
      const transport = await make();
      try {
        await body(new Conversation(transport));
      } finally {
        await transport.close();
      }
    },
  }));
}

/** A transport with everything it delivered, and a way to wait for more. */
class Conversation {
  readonly transport: Transport;
  readonly lines: string[] = [];
  #wanted = 0;
  #reached = deferred<void>();

  constructor(transport: Transport) {
    this.transport = transport;
  }

  start(): void {
    this.transport.start((lines) => {
      this.lines.push(...lines);
      if (this.lines.length >= this.#wanted) this.#reached.resolve();
    });
  }

  async receive(count: number): Promise<readonly string[]> {
    this.#wanted = count;
    this.#reached = deferred();
    if (this.lines.length < count) await this.#reached.promise;
    return this.lines;
  }
}

const promises: Readonly<Record<string, (talk: Conversation) => Promise<void>>> = {
  'delivers lines whole and in order': async (talk) => {
    talk.start();
    const sent = Array.from({ length: 500 }, (_, index) => `{"n":${index}}`);
    await Promise.all(sent.map((line) => talk.transport.send(line)));
    assert.deepEqual(await talk.receive(sent.length), sent);
  },

  'delivers what came before start': async (talk) => {
    await talk.transport.send('early');
    talk.start();
    assert.deepEqual(await talk.receive(1), ['early']);
  },

  'treats CR, U+2028, U+2029 and any character as data': async (talk) => {
    talk.start();
    const odd = ['a\rb', 'x\u2028y\u2029z', 'ü€😀', '\u0000nul'];
    for (const line of odd) await talk.transport.send(line);
    assert.deepEqual(await talk.receive(odd.length), odd);
  },

  'refuses an empty line and a line with a newline': async (talk) => {
    talk.start();
    for (const line of ['', '  ', 'two\nlines', 'end\n']) {
      await assert.rejects(talk.transport.send(line), hasCode('LINE_INVALID'));
    }
    await talk.transport.send('fine');
    assert.deepEqual(await talk.receive(1), ['fine']);
  },

  'loses nothing over pause and resume': async (talk) => {
    talk.start();
    await talk.transport.send('!flood 20000');
    await talk.receive(1);
    talk.transport.pause();
    talk.transport.resume();
    talk.transport.pause();
    setImmediate(() => talk.transport.resume());
    const lines = await talk.receive(20_000);
    assert.equal(lines.length, 20_000);
    assert.ok(lines.every((line, index) => line === `line ${index}`));
  },

  'delivers nothing more after the end, and the end after the last line': async (talk) => {
    talk.start();
    await talk.transport.send('!flood 1000');
    await talk.receive(1000);
    await talk.transport.send('!leave');
    await talk.transport.ended;
    assert.equal(talk.lines.length, 1000);
  },

  'refuses to send after the end': async (talk) => {
    talk.start();
    await talk.transport.close();
    await assert.rejects(talk.transport.send('late'), hasCode('TRANSPORT_CLOSED'));
  },

  'closes once, however often close() is called': async (talk) => {
    talk.start();
    const [first, second] = await Promise.all([talk.transport.close(), talk.transport.close()]);
    assert.deepEqual(first, second);
    assert.deepEqual(await talk.transport.ended, first);
    assert.deepEqual(await talk.transport.close(), first);
  },

  'can be closed before it is started': async (talk) => {
    await talk.transport.close();
    await talk.transport.ended;
  },

  'limits what waits for a side that reads nothing, and settles every send': async (talk) => {
    talk.start();
    await talk.transport.send('!deaf');
    const megabyte = 'x'.repeat(1024 * 1024);
    const sends = Array.from({ length: 100 }, () => settle(talk.transport.send(megabyte)));
    await talk.transport.close();
    const outcomes = await Promise.all(sends);
    assert.ok(outcomes.includes('SEND_OVERFLOW'), `no send was refused: ${[...new Set(outcomes)]}`);
  },
};

async function settle(sending: Promise<void>): Promise<string> {
  try {
    await sending;
    return 'sent';
  } catch (error) {
    return error instanceof CoxswainError ? error.code : String(error);
  }
}

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof CoxswainError && error.code === code;
}
