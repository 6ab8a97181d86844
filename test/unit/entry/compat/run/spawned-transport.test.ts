import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { ENDING, SpawnedTransport } from '../../../../../src/entry/compat/run/spawned-transport.js';
import { echoPartner } from '../../../../../src/lab/testing/contracts/echo-partner.js';
import { transportContract } from '../../../../../src/lab/testing/contracts/transport.js';
import { streamTransport } from '../../../../../src/wire/transport/streams.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { settle } from '../../../../support/settle.js';
import { FakeProcess } from '../fake-process.js';

/** A process whose other side is an echo; it exits when its stdin or the echo ends. */
class EchoProcess extends EventEmitter {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly killed = false;
  readonly exitCode = null;

  constructor() {
    super();
    const echo = streamTransport(this.stdin, this.stdout, { closeWaitMs: 200 });
    echoPartner(echo);
    void echo.ended.then(() => this.emit('exit', 0, null));
  }

  kill(): boolean {
    this.stdin.destroy();
    return true;
  }
}

describe('fulfils the contract of a transport', () => {
  const make = () => new SpawnedTransport(new EchoProcess(), { expire: () => {} });
  for (const { name, run } of transportContract(make)) test(name, run);
});

test('reports how the process ended, after the last line', async () => {
  const process = new FakeProcess();
  const transport = new SpawnedTransport(process, { expire: () => {} });
  const lines: string[] = [];
  transport.start((batch) => lines.push(...batch));
  process.stdout.write('one\ntwo');
  process.exit(3);
  expect(await transport.ended).toEqual({ reason: 'exited', code: 3, signal: null, stderrTail: '' });
  expect(lines).toEqual(['one', 'two']);
});

test('keeps the end of stderr if a child process has one', async () => {
  const heard: string[] = [];
  const process = Object.assign(new FakeProcess(), { stderr: new PassThrough() });
  const transport = new SpawnedTransport(process, { expire: () => {}, onStderr: (text) => heard.push(text) });
  transport.start(() => {});
  process.stderr.write('it hurts');
  await vi.waitFor(() => expect(heard).toEqual(['it hurts']));
  process.exit(1);
  expect(await transport.ended).toMatchObject({ code: 1, stderrTail: 'it hurts' });
});

test('ends the input and gives the process time', async () => {
  const process = new FakeProcess({ onEof: (cli) => cli.exit(0) });
  const transport = new SpawnedTransport(process, { expire: () => {} });
  transport.start(() => {});
  transport.endInput();
  expect(await transport.ended).toMatchObject({ reason: 'exited', code: 0 });
  await expect(transport.send('late')).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' });
});

test('escalates step by step, and does not wait forever', async () => {
  const clock = new ManualClock();
  const process = new FakeProcess({ onEof: () => {}, onKill: () => {} });
  let expired = 0;
  const transport = new SpawnedTransport(process, { expire: () => (expired += 1), clock });
  transport.start(() => {});
  const closed = transport.close();
  for (const ms of [ENDING.eofMs, ENDING.termMs, ENDING.killMs]) {
    await settle();
    clock.advance(ms);
  }
  expect(await closed).toEqual({ reason: 'closed' });
  expect([process.signals, expired]).toEqual([['SIGTERM', 'SIGKILL'], 1]);
});

test('passes on an error of the spawner', async () => {
  const process = new FakeProcess();
  const transport = new SpawnedTransport(process, { expire: () => {} });
  const error = new Error('no such container');
  process.emit('error', error);
  expect(await transport.ended).toEqual({ reason: 'failed', error });
});
