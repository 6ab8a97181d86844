// How much of a session's throughput is left while it is recorded: off, without and with redaction, in one run.
// On a machine with other work the clock says little; on Linux the CPU time of the main thread is printed too.
// Needs a built dist. Usage: node bench/recording.mjs [lines] [rounds]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession } from '../dist/sdk/index.js';

const lines = Number(process.argv[2] ?? 200_000);
const rounds = Number(process.argv[3] ?? 7);
const folder = mkdtempSync(join(tmpdir(), 'coxswain-bench-'));
const cli = join(folder, 'flood.mjs');
writeFileSync(cli, program());

const ways = {
  off: {},
  'without redaction': { record: { to: join(folder, 'raw.trace'), redact: false } },
  'with redaction': { record: join(folder, 'redacted.trace') },
};
const runs = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
try {
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, options] of Object.entries(ways)) {
      const run = await measure(options);
      // The first round only warms up.
      if (round >= 0) runs[name].push(run);
    }
  }
  for (const [name, all] of Object.entries(runs)) {
    const rate = Math.round(median(all.map((run) => lines / run.seconds)));
    const clock = median(all.map(({ seconds }, index) => runs.off[index].seconds / seconds));
    const cpu = median(all.map(({ cpuSeconds }, index) => runs.off[index].cpuSeconds / cpuSeconds));
    console.log(
      `${name.padEnd(18)} ${rate.toLocaleString('en').padStart(9)} lines/s  ` +
        `ratio by the clock ${clock.toFixed(2)}, by CPU time ${cpu.toFixed(2)}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(options) {
  const buffer = { messages: 100_000, characters: 1e9 };
  const session = await openSession({ cli, cwd: folder, buffer, ...options });
  const turn = session.send('go');
  const [start, cpuStart] = [performance.now(), mainThreadSeconds()];
  let count = 0;
  for await (const _ of turn) count += 1;
  const seconds = (performance.now() - start) / 1000;
  const cpuSeconds = mainThreadSeconds() - cpuStart;
  await session.close();
  if (count < lines) throw new Error(`Only ${count} of ${lines} lines came.`);
  return { seconds, cpuSeconds };
}

/** User and system time of this thread alone, without those that write files and collect garbage. */
function mainThreadSeconds() {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** A CLI that answers what it is asked, and floods on a user message with the messages of a long answer. */
function program() {
  return `
import { createInterface } from 'node:readline';
const id = '00000000-0000-4000-8000-000000000001';
const say = (frame) => process.stdout.write(JSON.stringify(frame) + '\\n');
const delta = JSON.stringify({ type: 'stream_event', event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'and so it goes on, word by word, as models speak ' } }, session_id: id, parent_tool_use_id: null, uuid: id }) + '\\n';
const message = JSON.stringify({ type: 'assistant', message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: '/srv/app/src/index.ts', text: 'x = y; '.repeat(120) } }], usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3 } }, session_id: id, parent_tool_use_id: null, uuid: id }) + '\\n';
const block = (delta.repeat(19) + message).repeat(25);
createInterface({ input: process.stdin }).on('line', async (line) => {
  const frame = JSON.parse(line);
  if (frame.type === 'control_request') say({ type: 'control_response', response: { subtype: 'success', request_id: frame.request_id, response: { commands: [], models: [] } } });
  if (frame.type !== 'user') return;
  say({ type: 'system', subtype: 'init', session_id: id, uuid: id, claude_code_version: '2.1.325', cwd: '/srv/app', tools: [], mcp_servers: [] });
  for (let sent = 0; sent < ${lines}; sent += 500) if (!process.stdout.write(block)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  say({ type: 'result', subtype: 'success', is_error: false, result: 'done', num_turns: 1, duration_ms: 1, session_id: id, uuid: id, total_cost_usd: 0, usage: {} });
}).on('close', () => process.exit(0));
`;
}
