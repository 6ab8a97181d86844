import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const FOLDER = resolve('test/acp');

/** Why a third-party program cannot run here, or undefined. */
export function obstacleOf(name: string): string | undefined {
  if (!existsSync(resolve(FOLDER, 'node_modules', name)))
    return `${name} is not installed in test/acp (see the npm error above)`;
  return nodeFor22() === undefined ? `${name} needs Node 22: none in test/nodes for this system` : undefined;
}

/** Third-party programs need Node 22 or newer, whatever runs the tests. */
export function nodeFor22(): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const path = resolve(`test/nodes/node_modules/node-22-${process.platform}-${process.arch}/bin/node`);
  return existsSync(path) ? path : undefined;
}

/** Runs the program of the AI SDK on a CLI; returns what it saw. */
export async function runAiSdk(cli: string, cwd: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  const args = [resolve(FOLDER, 'ai-sdk.mjs'), cli, cwd];
  const { stdout } = await promisify(execFile)(nodeFor22() ?? '', args, { cwd, env, timeout: 100_000 });
  return JSON.parse(stdout);
}

/** What that program sees, on any CLI whose model cooperates. */
export const AI_SDK_SEEN = [
  ...['streamed Hello.', 'stop'],
  ...['time Rome', 'generated It is noon.', 'stop', 'number'],
];
