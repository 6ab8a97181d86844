import type { CloseOptions, OnLines, Transport, TransportEnd } from '../../transport/transport.js';
import type { Recording } from './recording.js';

/** Wraps a transport and records all its traffic. */
export function recordTransport(transport: Transport, recording: Recording): Transport {
  return new RecordedTransport(transport, recording);
}

class RecordedTransport implements Transport {
  readonly ended: Promise<TransportEnd>;
  readonly #transport: Transport;
  readonly #recording: Recording;
  #closing: Promise<TransportEnd> | undefined;

  constructor(transport: Transport, recording: Recording) {
    this.#transport = transport;
    this.#recording = recording;
    this.ended = transport.ended.then((end) => {
      recording.end(end);
      void recording.close();
      return end;
    });
  }

  start(onLines: OnLines): void {
    this.#transport.start((lines, text) => {
      this.#recording.lines('cli', lines, text);
      onLines(lines, text);
    });
  }

  pause(): void {
    this.#transport.pause();
  }

  resume(): void {
    this.#transport.resume();
  }

  send(line: string): Promise<void> {
    // Before it is sent, so that an answer is never recorded before its request.
    if (!line.includes('\n')) this.#recording.lines('host', [line]);
    return this.#transport.send(line);
  }

  close(options?: CloseOptions): Promise<TransportEnd> {
    this.#closing ??= this.#close(options);
    return this.#closing;
  }

  async #close(options: CloseOptions | undefined): Promise<TransportEnd> {
    this.#recording.eof('host');
    const end = await this.#transport.close(options);
    await this.ended;
    await this.#recording.close();
    return end;
  }
}
