import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyCopy } from '../../../../src/command/patch/verify.js';

/** A CLI that completes the handshake and then goes silent. */
const SILENT = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { request, request_id } = JSON.parse(line);
  if (request?.subtype !== 'initialize') return;
  const response = { subtype: 'success', request_id, response: {} };
  process.stdout.write(JSON.stringify({ type: 'control_response', response }) + '\\n');
});`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coxswain-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a patch that makes the CLI silent has failed, and the others are tried', async () => {
  const path = join(folder, 'cli.cjs');
  await writeFile(path, SILENT);
  const report = { required: false, success: true, details: [] };
  const reports = ['004-mcp-reconnect', '005-mcp-tools'].map((id) => ({ ...report, id }));
  const verdicts = await verifyCopy({ path, reports: [...reports, { ...report, id: 'of a user' }] }, 300);
  expect(verdicts).toMatchObject([
    { patch: '004-mcp-reconnect', ok: false, seen: 'it did not end within 0.3 s' },
    { patch: '005-mcp-tools', ok: false, seen: expect.any(String) },
  ]);
});
