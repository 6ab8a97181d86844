// Runs the tests on other Nodes: the oldest that package.json allows, and the newer lines.
// `--real` adds the tests on real CLIs; `--node <path>` uses your own Node instead (repeatable);
// other arguments select test files.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { run } from './lib/run.mjs';

const { values, positionals } = parseArgs({
  options: { real: { type: 'boolean', default: false }, node: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const projects = ['--project', 'unit', ...(values.real ? ['--project', 'real'] : [])];

const nodes = values.node ?? (await installedNodes());
if (nodes.length === 0)
  fail(`no other Node for ${process.platform}-${process.arch}: name one with --node <path>`);
if (values.real && !(await ensureInstalled('test/real-clis'))) fail('the real CLIs could not be installed');
if (values.real && !(await ensureInstalled('test/acp')))
  fail('the programs of others could not be installed');
if (!(await ensureInstalled('test/peers'))) fail('the other SDKs could not be installed');
if (!(await ensureInstalled('test/clients'))) fail('the clients of others could not be installed');

const failed = [];
for (const node of nodes) {
  console.log(`\n=== ${node}`);
  await run(node, ['--version']);
  const code = await run(node, ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...positionals]);
  if (code !== 0) failed.push(node);
}
if (failed.length > 0) fail(`tests failed on ${failed.join(', ')}`);

async function installedNodes() {
  const folder = 'test/nodes';
  if (!(await ensureInstalled(folder)))
    fail('the other Nodes could not be installed: see the npm error above');
  const { optionalDependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const here = Object.keys(optionalDependencies).filter((name) =>
    name.endsWith(`-${process.platform}-${process.arch}`),
  );
  return here
    .map((name) => resolve(folder, 'node_modules', name, 'bin/node'))
    .filter((path) => existsSync(path));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
