import { onStart, onUser } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import {
  flood,
  halfLine,
  hugeLine,
  raw,
  splitUtf8,
} from '../../../src/lab/testing/emulator/steps/fault-steps.js';
import { act, hang } from '../../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../../src/lab/testing/emulator/steps/step-types.js';
import type { WireObject } from '../../../src/wire/protocol/frames.js';
import { settle } from '../../support/settle.js';
import { outcomeInWords, readToTheEnd } from '../seen.js';
import type { Play, Stage } from '../stage.js';

/** Lines that a CLI should not write, or that have no meaning, by the names in the table. */
const LINES: Readonly<Record<string, string>> = {
  'plain text': 'npm warn deprecated',
  'an empty line': '',
  spaces: '   ',
  'broken JSON': '{"type":"assistant"',
  'a JSON text': '"hello"',
  'a JSON number': '42',
  'a JSON null': 'null',
  'a JSON list': '[{"type":"result"}]',
  'NUL characters': '\u0000\u0000',
  'terminal codes': '\u001b[31mred\u001b[0m',
  'a byte order mark': '\uFEFF{"type":"assistant"}',
  'a request without an id': '{"type":"control_request","request":{"subtype":"can_use_tool"}}',
  'an answer without an id': '{"type":"control_response","response":{"subtype":"success"}}',
  'an answer without a body': '{"type":"control_response"}',
  'a cancel without an id': '{"type":"control_cancel_request"}',
  'an answer to a request that was never made':
    '{"type":"control_response","response":{"subtype":"success","request_id":"nobody"}}',
  'a request of an unknown kind':
    '{"type":"control_request","request_id":"x","request":{"subtype":"from_the_future"}}',
  'a keep-alive': '{"type":"keep_alive"}',
  'a message of an unknown type': '{"type":"from_the_future"}',
  'a message without a type': '{}',
  'a cancel of nothing': '{"type":"control_cancel_request","request_id":"nobody"}',
};

async function plays(stage: Stage, steps: readonly Step[]): Promise<void> {
  await stage.open([onUser('go', [say('one'), ...steps, say('done')])]);
  await stage.turn();
  await stage.next();
}

const line = (stage: Stage) => raw(LINES[stage.row.variant] ?? stage.row.variant);

/** What can be wrong with the lines of a CLI. */
export const wirePlays: Readonly<Record<string, Play>> = {
  'a stray line in a turn': (stage) => plays(stage, [line(stage)]),
  'a stray line before the handshake': async (stage) => {
    await stage.open([onStart([line(stage)])]);
    await stage.next();
  },
  'a result that comes again': async (stage) => {
    let last: WireObject = {};
    const session = await stage.open([
      onUser('go', [say('one')]),
      onUser('on', [act((cli) => cli.send(last)), say('done')]),
    ]);
    last = (await session.send('go').outcome).result ?? {};
    const turn = session.send('on');
    stage.seen.reader = await readToTheEnd(turn);
    stage.seen.turn = outcomeInWords(await turn.outcome);
    await stage.next();
  },
  'bytes that are not UTF-8': (stage) =>
    plays(stage, [act((cli) => cli.write(Uint8Array.of(0xff, 0xfe, 0xc3, 0x0a)))]),
  'a line in two halves': (stage) =>
    plays(stage, [halfLine('{"type":"system",'), halfLine('"subtype":"late"}\n')]),
  'characters cut in the middle': (stage) => plays(stage, [splitUtf8()]),
  'a line of ten million characters': (stage) => plays(stage, [hugeLine(10_000_000)]),
  'a flood that is read slowly': async (stage) => {
    await stage.open([onUser('go', [flood(2_000, 1_000), say('done')])], BUFFER);
    let count = 0;
    const turn = await stage.turn((message) => {
      if ((message as { subtype?: unknown }).subtype === 'flood') count += 1;
      return count % 100 === 0 ? new Promise((resolve) => setImmediate(resolve)) : undefined;
    });
    stage.seen.messages = `${count} read, ${turn.dropped} dropped`;
    await stage.next();
  },
  'a flood that nobody reads': async (stage) => {
    const session = await stage.open([onUser('go', [flood(2_000, 1_000), say('done')])], BUFFER);
    const turn = session.send('go');
    stage.seen.turn = outcomeInWords(await turn.outcome);
    stage.seen.messages = turn.dropped > 1_900 ? 'most dropped, and counted' : `${turn.dropped} dropped`;
    await stage.next();
  },
  'a flood past the hard limit': async (stage) => {
    const session = await stage.open([onUser('go', [flood(2_000, 1_000), hang()])], {
      buffer: { ...BUFFER.buffer, hardCharacters: 500_000 },
    });
    const turn = session.send('go');
    // Its reader reads one message and no more; an unanswered call keeps reading going.
    const reader = turn[Symbol.asyncIterator]();
    await reader.next();
    await stage.call(session.control('from_the_future'));
    stage.seen.turn = outcomeInWords(await turn.outcome);
    await reader.return?.();
  },
  'a flood behind which a prompt waits': async (stage) => {
    const session = await stage.open(
      [onUser('go', [flood(200, 1_000), act((cli) => cli.ask(PERMISSION)), say('done')])],
      { ...BUFFER, onPermission: (prompt) => prompt.allow() },
    );
    const turn = session.send('go');
    const reader = turn[Symbol.asyncIterator]();
    await reader.next();
    const prompted = new Promise<void>((resolve) => {
      session.on('prompt', ({ state }) => state === 'answered' && resolve());
    });
    // Nobody continues reading: the pause is lifted, one buffer at a time, until the prompt is found.
    let found = false;
    void prompted.then(() => {
      found = true;
    });
    for (let step = 0; step < 100 && !found; step += 1) {
      stage.clock.advance(5_000);
      await settle();
    }
    await prompted;
    stage.seen.prompt = 'answered';
    stage.seen.reader = await readToTheEnd({ ...turn, [Symbol.asyncIterator]: () => reader } as never);
    stage.seen.turn = outcomeInWords(await turn.outcome);
    await stage.next();
  },
};

const BUFFER = { buffer: { messages: 10, characters: 20_000 } };
const PERMISSION = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' };
