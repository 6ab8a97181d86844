import { ControlPeer, type ControlPeerOptions } from '../../../../src/wire/peer/control-peer.js';
import { decodeLine, type Frame } from '../../../../src/wire/protocol/frames.js';
import { memoryPair } from '../../../../src/wire/transport/memory.js';
import type { Transport } from '../../../../src/wire/transport/transport.js';
import type { Diagnostic } from '../../../../src/wire/util/diagnostics.js';
import { settle } from '../../../support/settle.js';

/** A peer on one end of a pair, with raw lines on the other end. */
export function peerWithFarEnd(options: ControlPeerOptions = {}) {
  const [near, far] = memoryPair();
  const diagnostics: Diagnostic[] = [];
  const messages: unknown[] = [];
  const heard: Frame[] = [];
  let wake = () => {};
  const peer = new ControlPeer(near, {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    onMessage: (message) => messages.push(message),
    ...options,
  });
  far.start((lines) => {
    heard.push(...lines.map((line) => decodeLine(line)));
    wake();
  });
  peer.start();
  const hear = async (count: number): Promise<Frame[]> => {
    while (heard.length < count) await new Promise<void>((resolve) => (wake = resolve));
    return heard;
  };
  return { peer, near, far, hear, heard, messages, diagnostics };
}

/** Sends lines from the far end and lets their effects happen. */
export async function sayAndSettle(far: Transport, ...lines: string[]): Promise<void> {
  for (const line of lines) await far.send(line);
  await settle();
}

/** A transport as a plain object, so that a test can replace parts. */
export function boundTo(transport: Transport): Transport {
  return {
    ended: transport.ended,
    start: (onLines) => transport.start(onLines),
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    send: (line) => transport.send(line),
    close: () => transport.close(),
  };
}
