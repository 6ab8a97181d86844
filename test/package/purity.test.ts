import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('coxswain/protocol works without Node: no built-in module, no Node global', async () => {
  const code = `
    const line = entryPoint.encodeRequest('r1', { subtype: 'interrupt' });
    return entryPoint.decodeLine(line.trim());`;
  expect(await runBare('dist/protocol.js', code)).toEqual({
    kind: 'request',
    id: 'r1',
    body: { subtype: 'interrupt' },
  });
});

test('the bare context really is bare', async () => {
  const code =
    'return ["process", "Buffer", "console", "setTimeout", "URL", "TextDecoder"].filter((name) => name in globalThis);';
  expect(await runBare('dist/protocol.js', code)).toEqual([]);
});

async function runBare(file: string, code: string): Promise<unknown> {
  if (!existsSync(file)) throw new Error(`${file} is missing: build first (npm run build)`);
  const flags = ['--no-warnings', '--experimental-vm-modules'];
  const { stdout } = await run(process.execPath, [...flags, 'test/package/bare-context.mjs', file, code]);
  return JSON.parse(stdout);
}
