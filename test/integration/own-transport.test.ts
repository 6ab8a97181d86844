import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { AskedLaunch } from '../../src/host/cli/options/asked-launch.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';

test('a restarted program resumes the right conversation, in memory', async () => {
  const asked: AskedLaunch[] = [];
  const program = async (resume?: string) => {
    await using session = await openSession({
      transport: (launch) => {
        asked.push(launch);
        return emulateCli([onUser([say('one two three four five')])], { launch }).transport;
      },
      model: 'opus',
      permissionMode: 'plan',
      env: { OWN: 'variable' },
      ...(resume === undefined ? {} : { resume }),
    });
    const pieces: string[] = [];
    for await (const { text } of session.send('go').textDeltas()) pieces.push(text);
    expect(pieces.length).toBeGreaterThan(1);
    return session.id;
  };
  const first = await program();
  expect(await program(first)).toBe(first);
  expect(asked.map(({ resume }) => resume)).toEqual([undefined, first]);
  expect(asked[0]?.sessionId).toBe(first);
  expect(asked[1]?.arguments.join(' ')).toContain(`${first}`);
  expect(asked[0]?.env.OWN).toBe('variable');
});

test('settings stay in the arguments of a custom transport, which may start the CLI elsewhere, with a diagnostic', async () => {
  const diagnostics: Diagnostic[] = [];
  const asked: AskedLaunch[] = [];
  await using _session = await openSession({
    transport: (launch) => {
      asked.push(launch);
      return emulateCli([], { launch }).transport;
    },
    settings: { env: { KEY: 's3cret' } },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  expect(asked[0]?.arguments).toContain('--settings={"env":{"KEY":"s3cret"}}');
  expect(diagnostics).toMatchObject([{ code: 'SECRET_IN_ARGUMENTS', flag: '--settings' }]);
});

test('the emulated CLI starts with the mode and model that the session requests', async () => {
  await using session = await openSession({
    transport: (launch) => emulateCli([onUser([say('done')])], { launch }).transport,
    permissionMode: 'plan',
    partialMessages: false,
  });
  const kinds: unknown[] = [];
  for await (const message of session.send('go')) {
    if (message.type === 'system' && message.subtype === 'init') kinds.push(message.permissionMode);
  }
  expect(kinds).toEqual(['plan']);
});

test('onPermission is called on a CLI that would start in its own mode', async () => {
  const asked: string[] = [];
  const scenario = [onUser([useTool('Bash', { command: 'ls' }, { ask: true, result: 'a' }), say('done')])];
  await using session = await openSession({
    transport: (launch) => emulateCli(scenario, { launch, version: '2.1.296' }).transport,
    onPermission: (prompt) => {
      asked.push(prompt.tool);
      return prompt.allow();
    },
  });
  expect(await session.send('go').text()).toBe('done');
  expect(asked).toEqual(['Bash']);
});

test('a mode that somebody else started the CLI in is reported', async () => {
  const launch = { arguments: [], env: {} };
  const { transport } = emulateCli([onUser([say('done')])], { version: '2.1.296', launch });
  const told: string[] = [];
  await using session = await openSession({
    transport,
    onPermission: (prompt) => prompt.allow(),
    onDiagnostic: ({ message }) => told.push(message),
  });
  expect(await session.send('go').text()).toBe('done');
  expect(told).toEqual([expect.stringContaining('in mode auto')]);
});

test.each([
  [{ cli: 'claude' }, 'cli'],
  [{ executable: 'node' }, 'executable'],
  [{ onStderr: () => {} }, 'onStderr'],
  [{ ending: { eofMs: 1 } }, 'ending'],
  [{ maxLineLength: 10 }, 'maxLineLength'],
])('%o is refused by name: with a transport no process is started', async (options, option) => {
  const opened = openSession({ transport: () => emulateCli().transport, ...options });
  await expect(opened).rejects.toMatchObject({ code: 'OPTION_INVALID', option });
});

test.each([
  [{ resume: '0b0b0b0b-0000-4000-8000-000000000000' }, 'resume'],
  [{ continue: true }, 'continue'],
  [{ model: 'opus' }, 'model'],
  [{ permissionMode: 'plan' as const }, 'permissionMode'],
  [{ allowedTools: ['Read'] }, 'allowedTools'],
])('%o is refused by name if the transport already exists', async (options, option) => {
  const { transport } = emulateCli();
  await expect(openSession({ transport, ...options })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    option,
    message: expect.stringContaining('pass a function'),
  });
});

test('an unknown conversation is refused in memory as by a CLI', async () => {
  const conversations = new Set<string>();
  const open = (resume?: string) =>
    openSession({
      transport: (launch) => emulateCli([onUser([say('done')])], { launch, conversations }).transport,
      ...(resume === undefined ? {} : { resume }),
    });
  const first = await open();
  await first.close();
  await (await open(first.id)).close();
  const unknown = open('0b0b0b0b-0000-4000-8000-000000000000');
  await expect(unknown).rejects.toMatchObject({ code: 'SESSION_MISSING' });
});

test('a schema that ends CLIs also ends the emulated one in memory', () => {
  const schema = JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' });
  const launch = { arguments: [`--json-schema=${schema}`], env: {} };
  const cli = emulateCli([], { launch, version: '2.1.326' });
  cli.transport.start(() => {});
  return expect(cli.transport.ended).resolves.toMatchObject({ reason: 'exited', code: 1 });
});
