import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cliRequests,
  hookEvents,
  hostMessages,
  hostRequests,
  messages,
} from '../../../../src/wire/protocol/catalog/catalog.js';
import { makeRedactor } from '../../../../src/wire/trace/redact/redactor.js';

const HOST = {
  env: {
    ANTHROPIC_API_KEY: 'made-up-Key-with-spaces and "quotes"',
    MY_TOKEN: 'zzTOPzzTOPzz',
    SSH_AUTH_SOCK: '/run/agent',
    PATH: '/usr/bin',
  },
  home: '/home/zoë',
  tmp: '/var/folders/q1',
  user: 'zoë.b',
};
const redact = makeRedactor(HOST);

/** Each secret with the parts that must be removed. */
const SECRETS: readonly (readonly [text: string, gone: readonly string[]])[] = [
  ['sk-ant-api03-AbCdEf123456_-x', ['AbCdEf123456']],
  ['sk-proj-AbCdEf1234567890abcd', ['AbCdEf1234567890']],
  ['\u001b[31msk-ant-oat01-Zz99887766', ['Zz99887766']],
  ['ghp_0123456789abcdefABCDEF0123456789abcd', ['0123456789abcdef']],
  ['github_pat_11ABCDEFG0abcdefghijkl', ['11ABCDEFG0']],
  ['xoxb-123456789012-abcdefghij', ['123456789012']],
  ['AKIAIOSFODNN7EXAMPLE', ['IOSFODNN7']],
  ['AIzaSyA1234567890abcdefghijklmnopqrstuv', ['SyA1234567890']],
  ['glpat-abcdefghij1234567890', ['abcdefghij1234567890']],
  ['npm_abcdefghijklmnopqrstuvwxyz0123456789', ['abcdefghijklmnopqrstuvwxyz']],
  ['hf_abcdefghijklmnopqrstuvwxyz', ['abcdefghijklmnop']],
  ['sk_live_abcdefghijklmnop1234', ['abcdefghijklmnop']],
  ['rk_test_abcdefghijklmnop1234', ['abcdefghijklmnop']],
  ['whsec_abcdefghijklmnop1234', ['abcdefghijklmnop']],
  ['SG.abcdefghijklmnop12.qrstuvwxyzabcdef12', ['abcdefghijklmnop', 'qrstuvwxyz']],
  ['hvs.abcdefghijklmnop1234', ['abcdefghijklmnop']],
  ['dop_v1_0123456789abcdef0123456789abcdef', ['0123456789abcdef']],
  ['glsa_abcdefghijklmnop1234', ['abcdefghijklmnop']],
  ['AGE-SECRET-KEY-1ABCDEFGHIJKLMNOPQRSTUV', ['ABCDEFGHIJKLMNOP']],
  ['xai-abcdefghijklmnopqrstuvwxyz', ['abcdefghijklmnop']],
  ['ya29.abcdefghijklmnopqrstuvwxyz', ['abcdefghijklmnop']],
  ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY', ['K7MDENG']],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl', ['eyJzdWIi', 'c2lnbmF0dXJl']],
  [
    '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabc+/=\n-----END RSA PRIVATE KEY-----',
    ['MIIEpAIBAAKCAQEA', 'abc+/='],
  ],
  ['Authorization: Bearer abc.def-123', ['abc.def-123']],
  ['curl -H "Authorization: Basic dXNlcjpwYXNz" x', ['dXNlcjpwYXNz']],
  ['curl -u joe:pa55word https://host.example', ['joe', 'pa55word']],
  ["curl --user='joe:pa55word' https://host.example", ['joe', 'pa55word']],
  ['["curl","--proxy-user","joe:pa55word"]', ['joe', 'pa55word']],
  ['{"authorization":["Basic dXNlcjpwYXNz"],"set-cookie":[ "sid=abc123"]}', ['dXNlcjpwYXNz', 'abc123']],
  ['["Authorization","Basic dXNlcjpwYXNz"]', ['dXNlcjpwYXNz']],
  ['{"name":"Authorization","value":"Basic dXNlcjpwYXNz"}', ['dXNlcjpwYXNz']],
  ["{'token': 'abc123def', 'password': 'hunter22'}", ['abc123def', 'hunter22']],
  ['https:\\/\\/joe:pa55@host.example\\/path', ['joe', 'pa55']],
  ['\\/home\\/somebody\\/project', ['somebody']],
  ['Cookie: session=abc123; theme=dark', ['abc123', 'theme']],
  ['{"apiKey":"k1-secret worth","x":1}', ['k1-secret', 'worth']],
  ['{"access_token": "tok \\" en", "y": 2}', ['tok ']],
  ['export DB_PASSWORD=hunter22', ['hunter22']],
  ['password: hunter22', ['hunter22']],
  ['tool --api-key abcdefg --x', ['abcdefg']],
  ['https://joe:pa55@host.example/path', ['joe', 'pa55']],
  ['https://host.example/?key=abcdef123', ['abcdef123']],
  ['write to zoe.b+x@mail.example.co.uk today', ['zoe.b', 'mail.example']],
  ['/home/zoë/project', ['zoë']],
  ['/home/somebody/project', ['somebody']],
  ['C:\\Users\\Somebody\\x', ['Somebody']],
  ['/var/folders/q1/T/x', ['folders/q1']],
  ['~/.claude/projects/-home-zo--project', ['-home-zo-']],
  ['zoë.b said so', ['zoë.b']],
  ['made-up-Key-with-spaces and "quotes"', ['made-up-Key']],
  ['zzTOPzzTOPzz', ['zzTOP']],
];
const ALL_SECRETS = SECRETS.map(([text]) => text).join('\n');

/** Every known frame, with the secrets in each of its texts. */
function framesWithSecrets(): readonly (readonly [name: string, frame: unknown])[] {
  const corpus = readdirSync('test/corpus', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json') && name !== 'manifest.json')
    .map((name) => [name, poisoned(JSON.parse(readFileSync(join('test/corpus', name), 'utf8')))] as const);
  const named = (names: object, wrap: (name: string) => unknown) =>
    Object.keys(names).map((name) => [name, poisoned(wrap(name))] as const);
  const body = { a: 'x', b: ['x', { c: 'x' }], env: { K: 'x' } };
  return [
    ...corpus,
    ...named(hostRequests, (subtype) => ({
      type: 'control_request',
      request_id: 'x',
      request: { subtype, ...body },
    })),
    ...named(cliRequests, (subtype) => ({
      type: 'control_request',
      request_id: 'x',
      request: { subtype, ...body },
    })),
    ...named(hostRequests, () => ({
      type: 'control_response',
      response: { subtype: 'success', response: body },
    })),
    ...named(cliRequests, () => ({ type: 'control_response', response: { subtype: 'error', error: 'x' } })),
    ...named(messages, (name) => ({ type: name.split('/')[0], subtype: name.split('/')[1], ...body })),
    ...named(hostMessages, (type) => ({ type, ...body })),
    ...named(hookEvents, (event) => ({
      type: 'control_request',
      request: { subtype: 'hook_callback', input: { hook_event_name: event, ...body } },
    })),
  ];
}

function poisoned(value: unknown): unknown {
  if (typeof value === 'string') return `${value} ${ALL_SECRETS}`;
  if (Array.isArray(value)) return value.map(poisoned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, poisoned(inner)]));
}

const goneEverywhere = SECRETS.flatMap(([, gone]) => gone).map((part) => JSON.stringify(part).slice(1, -1));

describe('redaction', () => {
  test.each(SECRETS)('removes %j from a text, and JSON stays valid', (text, gone) => {
    for (const value of [
      { text },
      { deep: [{ text: `before\n${text}\tafter` }] },
      { nested: JSON.stringify({ text }) },
    ]) {
      const clean = redact(JSON.stringify(value));
      expect(Object.keys(JSON.parse(clean))).toEqual(Object.keys(value));
      for (const part of gone) expect(clean).not.toContain(JSON.stringify(part).slice(1, -1));
    }
  });

  test('finds every known secret in every frame of the catalog', () => {
    const frames = framesWithSecrets();
    expect(frames.length).toBeGreaterThan(300);
    for (const [name, frame] of frames) {
      const clean = redact(JSON.stringify(frame));
      expect(() => JSON.parse(clean), name).not.toThrow();
      expect(
        goneEverywhere.filter((part) => clean.includes(part)),
        name,
      ).toEqual([]);
    }
  });

  test.each([
    '{"type":"user","message":{"role":"user","content":"a task-list of risk-management, 12 tokens: 400"}}',
    '{"usage":{"input_tokens":12,"cache_creation_input_tokens":0},"apiKeySource":"ANTHROPIC_API_KEY"}',
    '{"uuid":"1f0c0d1e-1111-4222-8333-444455556666","path":"/srv/app/x","v":"pkg@1.2.3 @scope/pkg"}',
    '{"text":"Bearer authentication is basic authorization"}',
    '{"command":"docker run -u 1000:1000 --user 0:0 image"}',
  ])('leaves %s unchanged', (line) => {
    expect(redact(line)).toBe(line);
  });

  test('replaces the home of this user, and leaves lines of code', () => {
    expect(redact('/home/zoë/project')).toBe('<home>/project');
    expect(redact('const token = await nextToken(parser);')).toBe('const token = await nextToken(parser);');
  });

  test('keeps a user name that is a word of the protocol', () => {
    const line = '{"type":"user","text":"root"}';
    expect(makeRedactor({ ...HOST, user: 'user' })(line)).toBe(line);
    expect(makeRedactor({ ...HOST, user: 'root' })(line)).toBe(line);
  });

  test('accepts your own rules and secrets', () => {
    const own = makeRedactor({
      ...HOST,
      secrets: ['ACME-42'],
      rules: [{ find: /cust-\d+/, replace: 'cust-n', needle: 'cust-' }, { find: 'Globex' }],
    });
    expect(own('{"a":"ACME-42 for cust-77 and cust-78 of Globex"}')).toBe(
      '{"a":"<secret> for cust-n and cust-n of <redacted>"}',
    );
  });

  test('keeps any JSON with secrets valid, with the same keys', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(...SECRETS.map(([secret]) => secret)),
    );
    const mixed = fc.array(text, { maxLength: 4 }).map((parts) => parts.join(''));
    const keys = fc.constantFrom('a', 'token', 'password', 'text', 'Cookie', 'authorization', 'set-cookie');
    const values = fc.oneof(
      mixed,
      fc.constantFrom(null, 12, true),
      fc.array(mixed),
      fc.dictionary(keys, mixed),
    );
    fc.assert(
      fc.property(fc.dictionary(keys, values), (value) => {
        const clean: unknown = JSON.parse(redact(JSON.stringify(value)));
        expect(Object.keys(Object(clean))).toEqual(Object.keys(value));
      }),
      { numRuns: 500 },
    );
  });

  test('keeps headers valid JSON if their values are not strings', () => {
    const line =
      '{"cookie":{"a":1},"authorization":{"b":[2]},"set-cookie":[],"Cookie":null,"Authorization":null}';
    expect(redact(line)).toBe(line);
  });

  test('accepts empty secrets and rules, as of an unset variable', () => {
    const own = makeRedactor({ ...HOST, secrets: [''], rules: [{ find: '' }] });
    expect(own('{"a":"b"}')).toBe('{"a":"b"}');
  });

  test.each([
    ['a secret of letters', 'token', 'a1'.repeat(8_000_000), '<secret>'],
    ['a secret of escapes', 'token', '\n'.repeat(8_000_000), '<secret>'],
    ['a key', 'text', `-----BEGIN PRIVATE KEY-----${'a1\n'.repeat(5_000_000)}`, '<private-key>'],
  ])('removes %s that is many megabytes long', (_, key, value, clean) => {
    const redacted = redact(JSON.stringify({ type: 'user', [key]: value }));
    expect(redacted.slice(0, 200)).toBe(JSON.stringify({ type: 'user', [key]: clean }));
  });

  test.each([
    ['a break', 'aZ09_-'.repeat(200_000)],
    ['an end to the tokens that begin', 'eyJ'.repeat(40_000)],
  ])('takes linear time on long texts without %s', (_, data) => {
    const long = JSON.stringify({ data, at: 'a@b', k: 'sk-', t: 'token' });
    // In quadratic time it would take longer than a test may.
    expect(JSON.parse(redact(long))).toHaveProperty('data');
  });
});

test.each(['Authorization:', 'Cookie: ', 'curl --token ', '--api-key='])(
  'keeps JSON valid when a text ends with %j',
  (text) => {
    const line = JSON.stringify({ event: { delta: { text } } });
    expect(JSON.parse(makeRedactor({ env: {} })(line))).toHaveProperty('event.delta.text');
  },
);
