import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { rolldown } from 'rolldown';

/** A program of the tests that uses internal modules, as one file of JavaScript: loading the sources takes seconds each time. */
export async function bundledHost(source: string): Promise<string> {
  const build = await rolldown({
    input: source,
    platform: 'node',
    external: /^(?![./\0]|@oxc-project)/,
    transform: { target: 'node20.19' },
  });
  const { output } = await build.generate({ codeSplitting: false });
  await build.close();
  // Inside the project, so that packages are found. Complete when it appears: other files may start it too.
  const folder = resolve('.cache', 'hosts');
  mkdirSync(folder, { recursive: true });
  const path = resolve(folder, `${basename(source).replace(/\.m?ts$/, '')}.mjs`);
  writeFileSync(`${path}.${process.pid}`, output[0].code);
  renameSync(`${path}.${process.pid}`, path);
  return path;
}
