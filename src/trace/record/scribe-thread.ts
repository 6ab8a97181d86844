// The thread that writes recordings, so that the host does not pay for encoding, redaction and the disk.
import { parentPort } from 'node:worker_threads';
import { OwnScribe, type Scribe } from './scribe.js';
import { CELLS, sizeOf, type ThreadCall, type ThreadReply } from './thread-calls.js';

interface Desk {
  readonly scribe: Scribe;
  readonly cells: Int32Array;
}

const desks = new Map<number, Desk>();

parentPort?.on('message', (calls: readonly ThreadCall[]) => calls.forEach(take));

function take(call: ThreadCall): void {
  if (call.call === 'begin') desks.set(call.id, begin(call));
  const desk = desks.get(call.id);
  if (desk === undefined) return;
  write(desk, call);
  Atomics.add(desk.cells, CELLS.handled, sizeOf(call));
}

function begin({ id, options, cells }: ThreadCall & { readonly call: 'begin' }): Desk {
  const scribe = new OwnScribe(options, {
    onDiagnostic: (diagnostic) => reply({ id, reply: 'diagnostic', diagnostic }),
  });
  return { scribe, cells };
}

function write({ scribe, cells }: Desk, call: ThreadCall): void {
  if (call.call === 'entry') scribe.entry(call.t, call.text, call.lasting);
  else if (call.call === 'lines') scribe.lines(call.t, call.from, call.text, call.count);
  else if (call.call === 'lose') scribe.lose(call.count);
  else if (call.call === 'close') void scribe.close().then(() => closed(call.id, cells));
}

function closed(id: number, cells: Int32Array): void {
  desks.delete(id);
  Atomics.store(cells, CELLS.closed, 1);
  Atomics.notify(cells, CELLS.closed);
  reply({ id, reply: 'closed' });
}

function reply(said: ThreadReply): void {
  parentPort?.postMessage(said);
}
