// Tries the README's first commands as a stranger would: in a fresh clone with an empty home and a small PATH, on each
// Node of test/nodes.
//   node scripts/try-readme.mjs              `npm ci && npm run demo` on all of them
//   node scripts/try-readme.mjs --test 20    the same, and `npm ci && npm test` on one
//   node scripts/try-readme.mjs --test all   both on all of them
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findNodes, firstCommands, MAJORS, smallPath } from './lib/as-a-stranger.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { run } from './lib/run.mjs';

/** How this machine reaches the registry; nothing else of its settings is passed on. */
const NETWORK = ['npm_config_registry', 'NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'NO_PROXY'];

const { values } = parseArgs({ options: { test: { type: 'string' } } });
if (values.test !== undefined && ![...MAJORS, 'all'].includes(values.test)) {
  console.error(`--test takes one of ${MAJORS.join(', ')}, or all`);
  process.exit(1);
}
if (!(await ensureInstalled('test/nodes'))) process.exit(1);

const commands = firstCommands(readFileSync('README.md', 'utf8'));
const failed = [];
for (const [major, node] of findNodes('test/nodes')) {
  const isTested = values.test === major || values.test === 'all';
  for (const command of commands.filter((each) => isTested || !each.endsWith('test'))) {
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
    PATH: smallPath(join(folder, 'bin'), node),
    HOME: home,
    ...Object.fromEntries(reach.map((name) => [name, process.env[name]])),
  };
  const code = await run('sh', ['-c', command], { cwd: clone, env, stdio: ['ignore', 'inherit', 'inherit'] });
  rmSync(folder, { recursive: true, force: true });
  return code;
}
