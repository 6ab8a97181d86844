import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AuditLog } from '../../../../src/server/console/keys/audit-log.js';
import { KeyFile } from '../../../../src/server/console/keys/key-file.js';
import { Logins } from '../../../../src/server/console/keys/logins.js';
import { WebhookFile } from '../../../../src/server/console/webhooks/webhook-file.js';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'coxswain-lists-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

const key = { name: 'laptop', role: 'owner', hash: 'h', createdAt: 1 };
const hook = { id: 'a', url: 'https://example.org', events: ['failed'], secret: 'whsec_x', createdAt: 1 };

test.each([
  ['a name that forges lines', { ...key, name: 'x\n{"what":"login"}' }, 'name'],
  ['no time', { ...key, createdAt: undefined }, 'createdAt'],
  ['a role that is none', { ...key, role: 'root' }, 'role'],
  ['an end that is none', { ...key, expiresAt: null }, 'expiresAt'],
  ['nothing', null, ''],
])('A key with %s is named and left out, and stays in the file', (_what, broken, place) => {
  const state = folder();
  const path = join(state, 'keys.json');
  writeFileSync(path, JSON.stringify({ keys: [broken, key] }));
  const file = new KeyFile(state);
  expect(file.all).toEqual([key]);
  expect(file.problems).toEqual([expect.stringContaining('Record 1')]);
  expect(file.problems[0]).toContain(place);
  expect(file.remove('laptop')).toBe(true);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ keys: [JSON.parse(JSON.stringify(broken))] });
});

test.each([
  ['events', { ...hook, events: [1] }],
  ['url', { ...hook, url: 'nowhere' }],
  ['secret', { ...hook, secret: 'hunter2' }],
  ['createdAt', { ...hook, createdAt: 'today' }],
])('A webhook with a broken "%s" is named without its value', (place, broken) => {
  const state = folder();
  writeFileSync(join(state, 'webhooks.json'), JSON.stringify({ webhooks: [hook, broken] }));
  const file = new WebhookFile(state);
  expect(file.all).toEqual([hook]);
  expect(file.problems).toEqual([expect.stringContaining(place)]);
  expect(file.problems.join()).not.toContain('hunter2');
  file.add({ url: 'https://example.com', events: ['limit'] });
  expect(file.all).toHaveLength(2);
  expect(readFileSync(join(state, 'webhooks.json'), 'utf8')).toContain(JSON.stringify(broken.id));
  expect(file.problems).toHaveLength(1);
});

test('A file that cannot be read is set aside before it is replaced', () => {
  const state = folder();
  writeFileSync(join(state, 'keys.json'), '{"keys":[{"name":"lap');
  const file = new KeyFile(state);
  expect([file.all, file.problems.length]).toEqual([[], 1]);
  file.add('phone', 'watcher');
  const aside = readdirSync(state).filter((name) => name.startsWith('keys.json.damaged-'));
  expect(readFileSync(join(state, aside[0] ?? ''), 'utf8')).toBe('{"keys":[{"name":"lap');
  expect([file.all.length, file.problems]).toEqual([1, []]);
});

test('A broken login keeps nobody else out', () => {
  const path = join(folder(), 'logins.json');
  const good = { hash: 'g', key: 'k', expiresAt: 10 };
  writeFileSync(path, JSON.stringify([{ hash: 'b', key: 'k', expiresAt: 'never' }, good]));
  const logins = new Logins(path);
  expect(logins.all(0)).toEqual([good]);
  expect(logins.problems).toEqual([expect.stringContaining('expiresAt')]);
});

test('Whoever tries again and again gets one line per moment, with their number', () => {
  let now = 0;
  const path = join(folder(), 'audit.jsonl');
  const audit = new AuditLog(path, () => now);
  for (let each = 0; each < 100; each += 1) audit.refused('key refused', '10.0.0.1');
  audit.refused('key refused', '10.0.0.2');
  now = 20_000;
  audit.refused('key refused', '10.0.0.1');
  audit.close();
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(lines).toMatchObject([{ from: '10.0.0.1' }, { from: '10.0.0.2' }, { from: '10.0.0.1', times: 100 }]);
});

test('A list whose file cannot be reached is empty, and is named', () => {
  const state = folder();
  const path = join(state, 'webhooks.json');
  symlinkSync(path, path);
  const file = new WebhookFile(state);
  expect(file.all).toEqual([]);
  expect(file.problems).toEqual([expect.stringContaining(path)]);
  rmSync(path);
  writeFileSync(path, JSON.stringify({ webhooks: [hook] }));
  expect(file.all).toEqual([hook]);
  expect(file.problems).toEqual([]);
});
