import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { EmulatedProgram, programOf, STREAMING } from '../support/emulated-program.js';
import { inProcessServer } from '../support/in-process-server.js';
import { testedVersions } from '../support/tested-versions.js';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulator-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe.each(testedVersions)('the emulated %s as a program', (version) => {
  const isNew = version === '2.1.326';

  test('prints its version as the CLI does', async () => {
    const program = new EmulatedProgram({ version, args: ['--version'] });
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(program.lines).toEqual([`${version} (Claude Code)`]);
  });

  test('runs an SDK session from the handshake to the end', async () => {
    await using session = await openSession({
      cli: programOf(version),
      env: { COXSWAIN_SESSIONS: folder },
      cwd: folder,
      onPermission: (request) => request.allow(),
      onQuestion: (form) => form.answer({ 'Which colour do you like best?': 'Green' }),
    });
    expect(session.version).toBe(version);
    const outcome = await session.send('hello').outcome;
    expect(outcome).toMatchObject({ kind: 'success' });
  });

  test('exits with 1 on the lines that end the real one, and ignores the others', async () => {
    const fates = await Promise.all(
      BAD_LINES.map(async ([name, line, fatalOnNew]) => {
        const program = new EmulatedProgram({ version });
        program.write(`${line}\n`);
        program.send({ type: 'control_request', request_id: 'after', request: { subtype: 'interrupt' } });
        const { code } = await program.close();
        const survived = program.frames.some(({ type }) => type === 'control_response');
        return [name, code, survived, !isNew || fatalOnNew];
      }),
    );
    expect(fates).toEqual(fates.map(([name, , , fatal]) => [name, fatal ? 1 : 0, !fatal, fatal]));
  });

  test('exits with 1 if its last result was an error', async () => {
    const path = await scenarioFile('fails.json', [{ on: 'user', steps: [{ do: 'apiFailure' }] }]);
    const program = new EmulatedProgram({ version, env: { COXSWAIN_SCENARIO: path } });
    program.user('go');
    await program.next('result/success');
    expect(await program.close()).toEqual({ code: 1, signal: null });
  });

  test('resumes an existing conversation, and reports a missing one as that version does', async () => {
    const sessionId = '11111111-1111-4111-8111-111111111111';
    const env = { COXSWAIN_SESSIONS: join(folder, version) };
    const first = new EmulatedProgram({ version, env, args: [...STREAMING, '--session-id', sessionId] });
    first.user('one', { uuid: 'u1' });
    first.answer(await first.next('ask can_use_tool'), { behavior: 'deny', message: 'no' });
    await first.close();
    const second = new EmulatedProgram({
      version,
      env: { ...env, CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1' },
      args: [...STREAMING, '--resume', sessionId],
    });
    second.send({
      type: 'control_request',
      request_id: 'r',
      request: { subtype: 'rewind_files', user_message_id: 'u1' },
    });
    await second.next('success r');
    second.user('two');
    expect(await second.next('system/init')).toMatchObject({ session_id: sessionId });
    await second.close();
    const unknown = new EmulatedProgram({
      version,
      env,
      args: [...STREAMING, '--resume', sessionId.replaceAll('1', '2')],
    });
    expect(await unknown.close()).toEqual({ code: 1, signal: null });
    expect(unknown.frames.length).toBe(version === '2.0.73' ? 0 : 1);
    expect(unknown.stderr).toEqual(
      version === '2.1.17' ? '' : expect.stringContaining('No conversation found'),
    );
  });

  test('initialises an in-process server of the command line before any line arrives', async () => {
    const config = JSON.stringify({ mcpServers: { clock: { type: 'sdk', name: 'clock' } } });
    const program = new EmulatedProgram({ version, args: [...STREAMING, '--mcp-config', config] });
    const greeting = await program.next('ask mcp_message');
    program.answer(greeting, { mcp_response: inProcessServer({ id: 0, method: 'initialize' }) });
    program.child.kill('SIGKILL');
    await program.exited;
  });
});

describe('the emulated CLI as a program', () => {
  test('refuses flags as the CLI does', async () => {
    const cases = [
      [['--cwd', '/tmp'], "error: unknown option '--cwd'"],
      [['--output-format', 'stream-json'], 'requires --verbose'],
      [[...STREAMING, '--session-id', 'nope'], 'Invalid session ID'],
    ] as const;
    for (const [args, text] of cases) {
      const program = new EmulatedProgram({ args });
      expect(await program.exited).toEqual({ code: 1, signal: null });
      expect(program.stderr).toContain(text);
    }
    const old = new EmulatedProgram({ version: '2.0.73', args: [...STREAMING, '--effort', 'high'] });
    expect(await old.exited).toEqual({ code: 1, signal: null });
    expect(old.stderr).toContain("error: unknown option '--effort'");
  });

  test('knows the flags of its version: unknown ones end it, and its help lists them', async () => {
    const env = { COXSWAIN_PERSONALITY: '2.0.60' };
    const wrong = new EmulatedProgram({ env, args: ['-p', '--effort', 'high'] });
    expect(await wrong.exited).toEqual({ code: 1, signal: null });
    expect(wrong.stderr).toContain("error: unknown option '--effort'");
    const help = new EmulatedProgram({ env, args: ['--help'] });
    expect(await help.exited).toEqual({ code: 0, signal: null });
    expect(help.lines).toContain('  --json-schema <value>');
    expect(help.lines.join()).not.toContain('--effort');
  });

  test('plays the version that COXSWAIN_PERSONALITY names', async () => {
    const program = new EmulatedProgram({ env: { COXSWAIN_PERSONALITY: '2.1.17' }, args: ['--version'] });
    await program.exited;
    expect(program.lines).toEqual(['2.1.17 (Claude Code)']);
    const wrong = new EmulatedProgram({ env: { COXSWAIN_PERSONALITY: '9.9.9' }, args: ['--version'] });
    expect(await wrong.exited).toEqual({ code: 2, signal: null });
    expect(wrong.stderr).toContain('from 2.0.0 to ');
  });

  test('loads its scenario from a module, and writes a report about failures', async () => {
    const path = join(folder, 'scenario.mjs');
    await writeFile(
      path,
      "export const scenario = [{ on: 'user', match: /^list/, steps: (text) => [{ do: 'say', content: text + '!' }] }];",
    );
    const report = join(folder, 'report.json');
    const env = { COXSWAIN_SCENARIO: path, COXSWAIN_REPORT: report };
    const good = new EmulatedProgram({ env });
    good.user('list files');
    expect(await good.next('result/success')).toMatchObject({ result: 'list files!' });
    await good.close();
    expect(JSON.parse(await readFile(report, 'utf8'))).toEqual({ finished: true, failures: [] });
    const bad = new EmulatedProgram({ env });
    bad.send({
      type: 'control_request',
      request_id: '1',
      request: { subtype: 'set_permission_mode', permission_mode: 'plan' },
    });
    await bad.close();
    expect(bad.stderr).toContain('request.permission_mode: unknown-key');
    expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({
      finished: false,
      failures: [{ step: 'the request set_permission_mode' }, { expected: 'a user message like /^list/' }],
    });
  });

  test.each([
    ['[{"on":"user","steps":[{"do":"sing"}]}]', 'scenario[0].steps[0].do must be one of say,'],
    ['[{"on":"user","steps":[{"do":"useTool"}]}]', 'scenario[0].steps[0].name must be a text'],
    ['{"on":"user"}', 'scenario must be a list of cues'],
    ['[', 'cannot be read'],
  ])('says where a scenario is wrong: %s', async (text, problem) => {
    const path = join(folder, 'wrong.json');
    await writeFile(path, text);
    const program = new EmulatedProgram({ env: { COXSWAIN_SCENARIO: path } });
    expect(await program.exited).toEqual({ code: 2, signal: null });
    expect(program.stderr).toContain(problem);
  });

  test('prints text, or one object, in print mode', async () => {
    const path = await scenarioFile('print.json', [
      { on: 'user', match: 'what is it', steps: [{ do: 'done', text: 'It.' }] },
    ]);
    const env = { COXSWAIN_SCENARIO: path };
    const plain = new EmulatedProgram({ env, args: ['-p', 'what is it'] });
    await plain.exited;
    expect(plain.lines).toEqual(['It.']);
    const json = new EmulatedProgram({ env, args: ['--print', '--output-format', 'json'] });
    json.write('what is it');
    await json.close();
    expect(json.frames).toMatchObject([{ type: 'result', result: 'It.' }]);
  });

  test('dies from a signal in the middle of a line', async () => {
    const steps = [
      { do: 'halfLine', text: '{"type":"assis' },
      { do: 'die', signal: 'SIGKILL' },
    ];
    const path = await scenarioFile('dies.json', [{ on: 'user', steps }]);
    const program = new EmulatedProgram({ env: { COXSWAIN_SCENARIO: path } });
    program.user('go');
    expect(await program.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(program.lines.at(-1)).toBe('{"type":"assis');
  });

  test('exits with 143 on SIGTERM, or ignores it if the scenario says so', async () => {
    const polite = new EmulatedProgram();
    polite.send({ type: 'control_request', request_id: '1', request: { subtype: 'interrupt' } });
    await polite.next('success 1');
    polite.child.kill('SIGTERM');
    expect(await polite.exited).toEqual({ code: 143, signal: null });
    const path = await scenarioFile('stubborn.json', [{ on: 'start', steps: [{ do: 'ignoreSigterm' }] }]);
    const stubborn = new EmulatedProgram({ env: { COXSWAIN_SCENARIO: path } });
    stubborn.send({ type: 'control_request', request_id: '1', request: { subtype: 'interrupt' } });
    await stubborn.next('success 1');
    stubborn.child.kill('SIGTERM');
    stubborn.send({ type: 'control_request', request_id: '2', request: { subtype: 'interrupt' } });
    await stubborn.next('success 2');
    stubborn.child.kill('SIGKILL');
    expect(await stubborn.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('splits characters and drips slowly without losing any', async () => {
    const steps = [
      { do: 'splitUtf8' },
      { do: 'slowDrip', bytes: 700, ms: 1 },
      { do: 'say', content: 'ü€😀' },
    ];
    const path = await scenarioFile('drips.json', [{ on: 'user', steps }]);
    const program = new EmulatedProgram({ env: { COXSWAIN_SCENARIO: path } });
    program.user('go');
    expect(await program.next('system/split_utf8')).toMatchObject({ text: 'ü€😀 \u2028 end' });
    expect(await program.next('result/success')).toMatchObject({ result: 'ü€😀' });
    expect(await program.close()).toEqual({ code: 0, signal: null });
  });
});

/** Lines, and whether they end the newest CLI too. */
const BAD_LINES: readonly (readonly [name: string, line: string, fatalOnNew: boolean])[] = [
  ['an empty line', '', false],
  ['no JSON', 'nope', true],
  ['null', 'null', true],
  ['a number', '42', false],
  ['a list', '[]', false],
  ['an unknown type', '{"type":"zzz"}', false],
  ['no type', '{}', false],
  ['a cancel', '{"type":"control_cancel_request","request_id":"x"}', false],
  ['a request without a body', '{"type":"control_request","request_id":"x"}', true],
  ['an answer without a body', '{"type":"control_response"}', false],
  ['a user without a message', '{"type":"user"}', true],
  ['a user who is the assistant', '{"type":"user","message":{"role":"assistant","content":"x"}}', true],
];

async function scenarioFile(name: string, cues: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(cues));
  return path;
}
