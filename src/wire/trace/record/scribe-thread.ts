// The thread that writes recordings, so that the host does not pay for encoding, redaction and the disk.
import { parentPort } from 'node:worker_threads';
import type { Diagnostic } from '../../util/diagnostics.js';
import { OwnScribe, reportFailure, type Scribe } from './scribe.js';
import { CELLS, sizeOf, type ThreadCall, type ThreadReply } from './thread-calls.js';

interface Desk {
  readonly scribe: Scribe;
  readonly cells: Int32Array;
}

const desks = new Map<number, Desk>();

parentPort?.on('message', (calls: readonly ThreadCall[]) => calls.forEach(take));

function take(call: ThreadCall): void {
  if (call.call === 'begin') begin(call);
  const desk = desks.get(call.id);
  if (desk === undefined) return;
  write(desk, call);
  Atomics.add(desk.cells, CELLS.handled, sizeOf(call));
}

/** Options that nothing can be done with are the end of this recording, not of the others. */
function begin({ id, options, cells }: ThreadCall & { readonly call: 'begin' }): void {
  const onDiagnostic = (diagnostic: Diagnostic) => reply({ id, reply: 'diagnostic', diagnostic });
  try {
    desks.set(id, { scribe: new OwnScribe(options, { onDiagnostic }), cells });
  } catch (error) {
    reportFailure(onDiagnostic, error, String(options.to));
    closed(id, cells);
  }
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
