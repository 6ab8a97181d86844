import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';
import { memoryPair } from '../../src/wire/transport/memory.js';
import type { CloseOptions, OnLines, Transport, TransportEnd } from '../../src/wire/transport/transport.js';
import type { Clock } from '../../src/wire/util/clock.js';

/** How far a silent CLI gets: it says what belongs to its phase, and then nothing more. */
export const phases = ['opening', 'queued', 'started', 'in a prompt', 'in a tool', 'closing'] as const;

/** A phase of {@link phases}. */
export type Phase = (typeof phases)[number];

/** A CLI in memory that falls silent; closing it takes a second. */
export class SilentCli implements Transport {
  readonly ended: Promise<TransportEnd>;
  readonly #host: Transport;
  readonly #cli: Transport;
  readonly #phase: Phase;
  readonly #version: string;
  readonly #clock: Clock;

  constructor(phase: Phase, version: string, clock: Clock) {
    this.#phase = phase;
    this.#version = version;
    this.#clock = clock;
    [this.#host, this.#cli] = memoryPair();
    this.ended = this.#host.ended;
    this.#cli.start((lines) => {
      for (const line of lines) this.#receive(JSON.parse(line));
    });
  }

  start(onLines: OnLines): void {
    this.#host.start(onLines);
  }

  pause(): void {
    this.#host.pause();
  }

  resume(): void {
    this.#host.resume();
  }

  send(line: string): Promise<void> {
    return this.#host.send(line);
  }

  close(_options?: CloseOptions): Promise<TransportEnd> {
    this.#clock.after(1_000, () => void this.#host.close());
    return this.ended;
  }

  #receive(frame: WireObject): void {
    if (this.#phase === 'opening') return;
    if (isObject(frame.request) && frame.request.subtype === 'initialize') this.#welcome(frame.request_id);
    if (frame.type === 'user' && this.#phase !== 'queued') this.#begin(String(frame.uuid));
  }

  #welcome(id: unknown): void {
    const response = { commands: [], models: [], claude_code_version: this.#version };
    this.#say({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
  }

  #begin(uuid: string): void {
    this.#say({ type: 'command_lifecycle', command_uuid: uuid, state: 'started' });
    this.#say({ type: 'system', subtype: 'init', session_id: 's', user_message_uuids: [uuid], tools: [] });
    if (this.#phase === 'in a prompt')
      this.#ask({ subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't1' });
    if (this.#phase === 'in a tool') this.#ask({ subtype: 'mcp_message', server_name: 'own', message: CALL });
  }

  #ask(request: WireObject): void {
    this.#say({ type: 'control_request', request_id: `cli-${String(request.subtype)}`, request });
  }

  #say(frame: WireObject): void {
    this.#cli.send(JSON.stringify(frame)).catch(() => {});
  }
}

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', arguments: {} } };
