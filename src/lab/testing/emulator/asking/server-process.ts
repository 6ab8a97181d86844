import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { encodeObject } from '../../../../wire/protocol/encode.js';
import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { LineReader } from '../../../../wire/transport/line-reader.js';
import { deferred } from '../../../../wire/util/deferred.js';
import { errorText } from '../../../../wire/util/error-text.js';

/** Answers a server's request: with a result, or by throwing. */
export type AnswerServer = (method: string, params: WireObject) => Promise<WireObject>;

/** An MCP server in a separate process, over lines of JSON. */
export class ServerProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answer: AnswerServer;
  readonly #waiting = new Map<unknown, (answer: WireObject) => void>();
  readonly #gone = deferred<never>();

  constructor(config: WireObject, cwd: string, answer: AnswerServer) {
    const args = Array.isArray(config.args) ? config.args.map(String) : [];
    const env = { ...process.env, ...(isObject(config.env) ? (config.env as NodeJS.ProcessEnv) : {}) };
    this.#answer = answer;
    this.#gone.promise.catch(() => {});
    this.#child = spawn(String(config.command), args, { cwd, env });
    this.#child.on('error', (error) => this.#gone.reject(error));
    this.#child.on('exit', () => this.#gone.reject(new Error('Connection closed')));
    // The exit event reports that a server is gone.
    this.#child.stdin.on('error', () => {});
    this.#child.stderr.resume();
    new LineReader(this.#child.stdout).start((lines) => {
      for (const line of lines) this.#take(line);
    });
  }

  /**
   * Sends a message; resolves with the answer, or immediately if none is expected. Rejects if the process is
   * gone.
   */
  async call(message: WireObject): Promise<WireObject> {
    this.#send(message);
    if (message.id === undefined) return {};
    const answer = new Promise<WireObject>((resolve) => this.#waiting.set(message.id, resolve));
    try {
      return await Promise.race([answer, this.#gone.promise]);
    } finally {
      this.#waiting.delete(message.id);
    }
  }

  /** Ends it immediately. */
  end(): void {
    this.#child.kill('SIGKILL');
  }

  #take(line: string): void {
    const message = readLine(line);
    if (message === undefined) return;
    if (typeof message.method !== 'string') this.#waiting.get(message.id)?.(message);
    else if (message.id !== undefined) void this.#serve(message, message.method);
  }

  async #serve({ id, params }: WireObject, method: string): Promise<void> {
    try {
      this.#send({ id, result: await this.#answer(method, isObject(params) ? params : {}) });
    } catch (error) {
      this.#send({ id, error: { code: -32_601, message: errorText(error) } });
    }
  }

  #send(message: WireObject): void {
    if (this.#child.stdin.writable)
      this.#child.stdin.write(`${encodeObject({ jsonrpc: '2.0', ...message })}\n`);
  }
}

function readLine(line: string): WireObject | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
