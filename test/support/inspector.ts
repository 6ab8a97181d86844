import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { WireObject } from '../../src/wire/protocol/frames.js';

const run = promisify(execFile);
const PROGRAM = resolve('test/clients/node_modules/@modelcontextprotocol/inspector-cli/build/cli.js');

/** Why the inspector cannot be run here; undefined if it can. */
export const inspectorProblem = existsSync(PROGRAM)
  ? undefined
  : 'the third-party clients are not installed in test/clients (see the npm error above, or run npm test)';

/** The command line of the MCP inspector, with a server to connect to or to start. */
export class Inspector {
  readonly #server: readonly string[];
  readonly #env: Readonly<Record<string, string>>;

  constructor(server: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.#server = server;
    this.#env = env;
  }

  /** Invokes a method and returns the result. */
  async method(name: string, ...args: readonly string[]): Promise<WireObject> {
    const { PATH = '' } = process.env;
    const env = { PATH, ...this.#env };
    const { stdout } = await run(
      process.execPath,
      [PROGRAM, '--cli', ...this.#server, '--method', name, ...args],
      {
        env,
        // It looks up its own name and version from its working folder.
        cwd: dirname(PROGRAM),
        maxBuffer: 32 * 1024 * 1024,
      },
    );
    return JSON.parse(stdout);
  }

  /** Calls a tool and gives what it answered. */
  async tool(name: string, args: WireObject = {}): Promise<WireObject> {
    const pairs = Object.entries(args).flatMap(([key, value]) => [
      '--tool-arg',
      `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ]);
    return this.method('tools/call', '--tool-name', name, ...pairs);
  }

  /** Calls a tool that must succeed, and gives its value. */
  async call(name: string, args: WireObject = {}): Promise<WireObject> {
    const { isError, content, structuredContent } = await this.tool(name, args);
    if (isError === true) throw new Error(JSON.stringify(content));
    return structuredContent as WireObject;
  }
}
