import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isSameProcess } from '../../wire/transport/process/process-id.js';

/** How the next process of the server behaves: it answers, ends at once, or answers a second after the mode has changed. */
export type ProbeServerMode = 'up' | 'down' | 'slow';

/** An MCP server whose processes are counted; its only tool returns the process id. */
export interface ProbeServer {
  /** How a CLI starts it. */
  readonly config: { readonly command: string; readonly args: readonly string[] };
  next(mode: ProbeServerMode): void;
  /** The process ids of all starts. */
  started(): readonly number[];
  /** Waits until this many processes were started since the beginning. */
  untilStarted(count: number): Promise<void>;
  /** How many processes run, after giving those that were closed a moment to end. */
  running(expected: number): Promise<number>;
}

/** Prepares a {@link ProbeServer} that keeps its two files in a folder. */
export function probeServer(folder: string): ProbeServer {
  const starts = join(folder, 'probe-server-starts');
  const mode = join(folder, 'probe-server-mode');
  writeFileSync(starts, '');
  writeFileSync(mode, 'up');
  const started = () => readFileSync(starts, 'utf8').split('\n').filter(Boolean).map(Number);
  const alive = () => started().filter((pid) => isSameProcess({ pid })).length;
  return {
    config: { command: process.execPath, args: ['-e', PROGRAM, starts, mode] },
    next: (wanted) => writeFileSync(mode, wanted),
    started,
    untilStarted: (count) => until(() => started().length >= count),
    running: async (expected) => {
      await until(() => alive() === expected);
      return alive();
    },
  };
}

/** Ends after a while also if it is not so: the caller looks again. A busy machine takes seconds to start a process. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1500 && !holds(); tries += 1) await pause(20);
}

// Whoever sees a start may change the mode, so the program reads the mode first.
const PROGRAM = `
const fs = require('node:fs');
const [starts, mode] = process.argv.slice(1);
const behaves = fs.readFileSync(mode, 'utf8');
fs.appendFileSync(starts, process.pid + '\\n');
if (behaves === 'down') process.exit(1);
const tool = { name: 'whoami', description: 'Returns the process id', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'pid', version: '1.0.0' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'pid ' + process.pid }] }),
};
const serve = () => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const make = results[method];
  const answer = make ? { result: make(params) } : { error: { code: -32601, message: 'unknown method' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});
const serveSlowly = () =>
  fs.readFileSync(mode, 'utf8') === 'slow' ? setTimeout(serveSlowly, 20) : setTimeout(serve, 1000);
if (behaves === 'slow') serveSlowly();
else serve();`;
