import { describe, expect, test } from 'vitest';
import { echoPartner } from '../../../../../../src/lab/testing/contracts/echo-partner.js';
import { transportContract } from '../../../../../../src/lab/testing/contracts/transport.js';
import { MemoryProcess } from '../../../../../../src/lab/testing/emulator/pipes/memory-process.js';
import { streamTransport } from '../../../../../../src/wire/transport/streams.js';

describe("the host's end of a process in memory", () => {
  for (const { name, run } of transportContract(makeEcho)) test(name, run);

  test('reports code, signal and the end of stderr', async () => {
    const process = new MemoryProcess();
    process.pipes.stderr.write('first\n');
    process.pipes.stderr.write('x'.repeat(20_000));
    process.pipes.exit({ code: 3, signal: null });
    const end = await started(process).ended;
    expect(end).toMatchObject({ reason: 'exited', code: 3, signal: null });
    expect(end.reason === 'exited' ? end.stderrTail.length : 0).toBe(16_384);
  });

  test('delivers output from before the exit', async () => {
    const process = new MemoryProcess();
    const lines: string[] = [];
    process.transport.start((batch) => lines.push(...batch));
    process.pipes.stdout.write('one\ntwo\nhalf');
    process.pipes.exit({ code: 0, signal: null });
    await process.transport.ended;
    expect(lines).toEqual(['one', 'two', 'half']);
  });

  test('escalates: end of input, SIGTERM, SIGKILL', async () => {
    const process = new MemoryProcess({ closeWaitMs: 1 });
    const signals: string[] = [];
    process.pipes.onSignal((signal) => signals.push(signal));
    let inputEnded = false;
    process.pipes.stdin.resume().once('end', () => {
      inputEnded = true;
    });
    expect(await started(process).close()).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(signals).toEqual(['SIGTERM']);
    expect(inputEnded).toBe(true);
  });

  test('dies from a signal without a listener', async () => {
    const process = new MemoryProcess();
    process.kill('SIGTERM');
    expect(await started(process).ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  test('can be closed while the host does not read', async () => {
    const process = new MemoryProcess({ closeWaitMs: 1 });
    const transport = started(process);
    transport.pause();
    process.pipes.stdout.write(`${'x'.repeat(100_000)}\n`);
    expect(await transport.close()).toMatchObject({ reason: 'exited' });
  });
});

function makeEcho() {
  const process = new MemoryProcess({ closeWaitMs: 5 });
  const { stdin, stdout } = process.pipes;
  const partner = streamTransport(stdin, stdout);
  echoPartner(partner);
  void partner.ended.then(() => process.pipes.exit({ code: 0, signal: null }));
  return process.transport;
}

function started({ transport }: MemoryProcess) {
  transport.start(() => {});
  return transport;
}
