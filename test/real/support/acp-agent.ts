import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { nodeFor22 } from '../../support/programs-of-others.js';

const PROGRAM = resolve('test/acp/node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js');

/** Answers a request of the agent with a result; an exception becomes a refusal. */
export type AnswerAgent = (method: string, params: WireObject) => unknown;

/** Where an agent runs. */
export interface AcpPlace {
  /** The path of the CLI. */
  readonly cli: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly answer: AnswerAgent;
}

/** The program `claude-agent-acp` on a CLI, driven with JSON-RPC lines like an editor. */
export class AcpAgent implements AsyncDisposable {
  /** The `update` of every `session/update`, in order. */
  readonly updates: WireObject[] = [];
  stderr = '';
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<unknown, (answer: WireObject) => void>();
  readonly #answer: AnswerAgent;
  readonly #exited: Promise<unknown>;
  #lastId = 0;

  constructor({ cli, cwd, env, answer }: AcpPlace) {
    this.#answer = answer;
    this.#child = spawn(nodeFor22() ?? process.execPath, [PROGRAM], {
      cwd,
      env: { ...env, CLAUDE_CODE_EXECUTABLE: cli },
    });
    this.#child.stdin.on('error', () => {});
    this.#child.stderr.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.#exited = once(this.#child, 'exit').then(() => this.#refuseAll());
    createInterface(this.#child.stdout).on('line', (line) => this.#take(JSON.parse(line)));
  }

  /** Sends a request and resolves with its result. */
  async request(method: string, params: WireObject): Promise<WireObject> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new Promise<WireObject>((settle) => this.#waiting.set(id, settle));
    this.#write({ id, method, params });
    const { result, error } = await answered;
    if (isObject(result)) return result;
    throw new Error(`${method}: ${JSON.stringify(error)}\n${this.stderr}`);
  }

  /** The agent's text messages so far. */
  get text(): string {
    const chunks = this.updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    return chunks.map(({ content }) => (isObject(content) ? content.text : '')).join('');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await this.#exited;
    clearTimeout(late);
  }

  #take(line: unknown): void {
    if (!isObject(line)) return;
    const { id, method, params } = line;
    if (method === undefined) this.#waiting.get(id)?.(line);
    else if (id !== undefined) this.#write({ id, ...this.#answered(String(method), params) });
    else if (isObject(params) && isObject(params.update)) this.updates.push(params.update);
  }

  #answered(method: string, params: unknown): WireObject {
    try {
      return { result: this.#answer(method, isObject(params) ? params : {}) };
    } catch (error) {
      return { error: { code: -32601, message: String(error) } };
    }
  }

  #write(message: WireObject): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #refuseAll(): void {
    for (const settle of this.#waiting.values()) settle({ error: 'the program has ended' });
  }
}
