// Tries the README's first commands as a stranger would: in a fresh clone with an empty home, on each Node of test/nodes.
// `npm ci && npm run demo` on all of them; `--test <major>` also runs `npm ci && npm test` on one.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { run } from './lib/run.mjs';

/** How this machine reaches the registry; nothing else of its settings is passed on. */
const NETWORK = ['npm_config_registry', 'NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'NO_PROXY'];

const { values } = parseArgs({ options: { test: { type: 'string' } } });
if (!(await ensureInstalled('test/nodes'))) process.exit(1);

const [, first = ''] =
  /<!-- try:start -->([\s\S]*?)<!-- try:end -->/.exec(readFileSync('README.md', 'utf8')) ?? [];
const commands = [...first.matchAll(/^(npm ci && .+?) +#/gm)].map(([, command]) => command);
const failed = [];
for (const major of ['20', '22', '24', '26']) {
  const node = resolve(`test/nodes/node_modules/node-${major}-${process.platform}-${process.arch}/bin/node`);
  if (!existsSync(node)) continue;
  const tried = commands.filter((command) => !command.endsWith('test') || values.test === major);
  for (const command of tried) {
    const started = performance.now();
    const code = await inFreshClone(node, command);
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`=== Node ${major}: ${command}: ${code === 0 ? 'works' : `exit code ${code}`}, ${seconds} s`);
    if (code !== 0) failed.push(`${command} on Node ${major}`);
  }
}
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exit(1);
}

async function inFreshClone(node, command) {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-readme-'));
  const home = join(folder, 'home');
  const clone = join(folder, 'coxswain');
  mkdirSync(home);
  execFileSync('git', ['clone', '--quiet', '.', clone]);
  const reach = NETWORK.filter((name) => process.env[name] !== undefined);
  const env = {
    PATH: [dirname(node), process.env.PATH].join(delimiter),
    HOME: home,
    ...Object.fromEntries(reach.map((name) => [name, process.env[name]])),
  };
  const code = await run('sh', ['-c', command], { cwd: clone, env, stdio: ['ignore', 'inherit', 'inherit'] });
  rmSync(folder, { recursive: true, force: true });
  return code;
}
