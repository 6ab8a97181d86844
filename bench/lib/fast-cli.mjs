// Builds the native CLI of the benchmarks, once per change of its source.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { run } from '../../scripts/lib/run.mjs';

const SOURCE = 'bench/cli/fast-cli.c';

export async function fastCli() {
  const hash = createHash('sha256').update(readFileSync(SOURCE)).digest('hex').slice(0, 12);
  const path = `.cache/bench/fast-cli-${hash}`;
  if (existsSync(path)) return path;
  mkdirSync('.cache/bench', { recursive: true });
  const compiler = process.env.CC ?? 'cc';
  const code = await run(compiler, ['-O2', '-o', path, SOURCE]).catch(() => 1);
  if (code !== 0)
    throw new Error(`The benchmarks need a C compiler: "${compiler}" could not build ${SOURCE}.`);
  return path;
}
