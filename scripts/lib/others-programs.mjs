// Programs of others on the official SDK and on coxswain/compat, against the emulated CLI: what they see must be the same.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ensureInstalled } from './ensure-installed.mjs';

const CLI = resolve('dist/emulator/claude-2-1-326.js');
const WRAPPERS = ['none', 'openinference', 'langsmith', 'braintrust'];
const RUN_MS = 120_000;
/** How much of an error is shown; before its end there may be a line of a bundle. */
const SHOWN = 600;

/** What is not run, and why. */
const NOT_RUN = [
  ['n8n-nodes-claude-agent-sdk', 'not in the npm registry'],
  ['demos of the vendor', 'not packages; each needs a real model'],
  ['claude-agent-acp', 'needs an editor: a test of test:versions runs it on coxswain/compat'],
];

const SCENARIO = [
  {
    on: 'user',
    match: 'what time',
    times: 'any',
    steps: [
      { do: 'useTool', name: 'Bash', input: { command: 'date' }, ask: true, result: 'noon' },
      { do: 'mcpTool', server: 'clock', tool: 'time', input: { city: 'Rome' } },
      { do: 'say', content: 'It is noon.' },
    ],
  },
  { on: 'user', match: 'say hello', times: 'any', steps: [{ do: 'say', content: 'Hello.' }] },
];

/** Runs every program on both SDKs and prints a line for each; resolves to the exit code. */
export async function comparePrograms() {
  for (const folder of ['test/peers', 'test/programs']) if (!(await ensureInstalled(folder))) return 1;
  const others = [];
  for (const folder of ['test/acp', 'test/nodes', 'test/runtimes'])
    if (!(await ensureInstalled(folder))) others.push([folder, 'could not be installed']);
  let failed = 0;
  for (const program of programs()) {
    const [official, ours] = [await seenOn(officialModule(), program), await seenOn(ourModule(), program)];
    const verdict = compare(official, ours);
    if (verdict === 'DIFFERENT') {
      failed += 1;
      console.log(JSON.stringify({ official, ours }, null, 1));
    }
    console.log(`${program.name.padEnd(52)} ${verdict}`);
  }
  for (const [name, why] of [...NOT_RUN, ...others]) console.log(`${name.padEnd(52)} not run: ${why}`);
  return failed === 0 ? 0 : 1;
}

function programs() {
  const bun = resolve(
    `test/runtimes/node_modules/@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : 'x64'}/bin/bun`,
  );
  const runtimes = [['Node', process.execPath], ...(existsSync(bun) ? [['Bun', bun]] : [])];
  const wrapped = runtimes.flatMap(([runtime, file]) =>
    WRAPPERS.map((wrapper) => ({
      name: `${wrapper === 'none' ? 'a program' : `a program wrapped by ${wrapper}`}, on ${runtime}`,
      file,
      args: (module, cwd) => [resolve('test/programs/wrapped.mjs'), wrapper, module, CLI, cwd],
    })),
  );
  const node = nodeFrom22();
  if (node === undefined || !existsSync('test/acp/node_modules/ai-sdk-provider-claude-code')) return wrapped;
  const aiSdk = {
    name: 'ai-sdk-provider-claude-code, on Node 22',
    file: node,
    args: (_module, cwd) => [
      '--import',
      pathToFileURL(resolve('test/programs/as-sdk.mjs')).href,
      resolve('test/acp/ai-sdk.mjs'),
      CLI,
      cwd,
    ],
  };
  return [...wrapped, aiSdk];
}

async function seenOn(module, { file, args }) {
  const cwd = mkdtempSync(join(tmpdir(), 'coxswain-others-'));
  const scenario = join(cwd, 'scenario.json');
  writeFileSync(scenario, JSON.stringify(SCENARIO));
  const env = {
    PATH: process.env.PATH,
    HOME: cwd,
    ANTHROPIC_API_KEY: 'made-up',
    COXSWAIN_SCENARIO: scenario,
    COXSWAIN_SDK: module,
  };
  try {
    const { stdout } = await promisify(execFile)(file, args(module, cwd), { cwd, env, timeout: RUN_MS });
    return JSON.parse(stdout);
  } catch (error) {
    return { failed: String(error.stderr || error).slice(-SHOWN) };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** The official SDK may run a callback before the program has read the messages that came before it; ours never does. */
function compare(official, ours) {
  if (official.failed !== undefined || ours.failed !== undefined) return 'DIFFERENT';
  if (JSON.stringify(official) === JSON.stringify(ours)) return 'the same';
  const isSame = JSON.stringify(inParts(official)) === JSON.stringify(inParts(ours));
  return isSame ? 'the same, but callbacks come after earlier messages' : 'DIFFERENT';
}

const CALLBACK = /^(?:before|asked for|time in) /;

function inParts({ seen = [], ...others }) {
  return [seen.filter((each) => CALLBACK.test(each)), seen.filter((each) => !CALLBACK.test(each)), others];
}

function officialModule() {
  const peers = createRequire(resolve('test/peers/package.json'));
  return pathToFileURL(peers.resolve('@anthropic-ai/claude-agent-sdk')).href;
}

function ourModule() {
  return pathToFileURL(resolve('dist/compat.js')).href;
}

/** Third-party programs need Node 22 or newer, whatever runs this. */
function nodeFrom22() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const folder = `node-22-${process.platform}-${process.arch}`;
  const found =
    existsSync('test/nodes/node_modules') && readdirSync('test/nodes/node_modules').includes(folder);
  return found ? resolve(`test/nodes/node_modules/${folder}/bin/node`) : undefined;
}
