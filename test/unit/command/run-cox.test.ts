import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ranCox as ran, startCox } from '../../support/cox.js';

test('--version prints the version of the package on stdout', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(await ran('--version')).toEqual({ exitCode: 0, out: `${version}\n`, err: '' });
});

test('--help prints the commands on stdout', async () => {
  const { exitCode, out, err } = await ran('--help');
  expect([exitCode, err]).toEqual([0, '']);
  expect(out).toMatch(/Usage: coxswain[\s\S]*Start here:\n {2}demo[\s\S]*Recordings:\n {2}tap[\s\S]*model/);
});

test('no command prints the help on stderr and is a usage error', async () => {
  const { exitCode, out, err } = await ran();
  expect([exitCode, out]).toEqual([2, '']);
  expect(err).toContain('Usage: coxswain');
});

test.each([
  ['an unknown command', ['emulat'], /unknown command 'emulat'[\s\S]*Did you mean emulate/],
  [
    'the help of an unknown command',
    ['help', 'emulat'],
    /unknown command 'emulat'[\s\S]*Did you mean emulate/,
  ],
  [
    '--help of an unknown command',
    ['emulat', '--help'],
    /unknown command 'emulat'[\s\S]*Did you mean emulate/,
  ],
  ['an unknown option', ['script-model', '--prot', '1'], /unknown option '--prot'/],
  ['an invalid port', ['script-model', '--port', '70000'], /from 0 to 65535/],
  ['a port that is empty', ['script-model', '--port', ''], /from 0 to 65535/],
  ['too many arguments', ['script-model', 'a.json', 'b.json'], /too many arguments/],
])('%s is a usage error, reported on stderr', async (_, args, message) => {
  const { exitCode, out, err } = await ran(...args);
  expect([exitCode, out]).toEqual([2, '']);
  expect(err).toMatch(message);
});

test.each([
  [['compat', 'check']],
  [['patch', 'apply', '--bogus']],
  [['fleet', 'dev', '--bogus']],
  [['console', 'keys', 'add', 'phone']],
  [['trace', 'list', '--bogus']],
  [['sessions', 'show']],
])('%j is a usage error that names --help, like that of any other command', async (args) => {
  const { exitCode, out, err } = await ran(...args);
  expect([exitCode, out]).toEqual([2, '']);
  expect(err).toMatch(/^error: .+\n\(run with --help for usage\)\n$/);
});

test.each([[['run']], [['fleet', 'dev']], [['console', 'keys', 'add']], [['trace', 'list']]])(
  'the help of %j describes --help in the same words',
  async (command) => {
    expect((await ran(...command, '--help')).out).toMatch(/-h, --help +print this help/);
  },
);

test.each(['bash', 'zsh', 'fish'])('completion knows every command and its options in %s', async (shell) => {
  const { exitCode, out } = await ran('completion', shell);
  expect(exitCode).toBe(0);
  for (const word of ['run', 'doctor', 'sessions', 'max-turns', 'json-schema', 'check'])
    expect(out).toContain(word);
});

test('help for a command describes that command', async () => {
  const { out } = await ran('help', 'run');
  expect(out).toMatch(/Send one message[\s\S]*--deny[\s\S]*--json-schema[\s\S]*Exit codes/);
});

test('an error says what, why and what to do', async () => {
  const { exitCode, out, err } = await ran('script-model', 'no-such-script.json');
  expect([exitCode, out]).toEqual([2, '']);
  expect(err.trimEnd().split('\n')).toEqual([
    expect.stringMatching(
      /^coxswain: The script .*no-such-script\.json cannot be read\. \[OPTION_INVALID\]$/,
    ),
    expect.stringMatching(/^why: ENOENT/),
    expect.stringMatching(/^what to do: check that the path exists/),
  ]);
});

test('a folder or a recording that does not exist is named', async () => {
  const compat = await ran('compat', 'check', 'no-such-folder');
  expect(compat).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/no-such-folder is not a folder\./),
  });
  const { err } = await ran('trace', 'list', 'no-such.trace');
  expect(err).toMatch(/no-such\.trace cannot be read[\s\S]*what to do: check that the path exists/);
});

test.each([
  [['attach', 'x'], 'attach needs a terminal'],
  [['worker'], 'A worker needs --nats <url>.'],
  [['run'], 'The message on stdin is empty.'],
  [['ps', '--url', 'http://127.0.0.1:1'], 'No token for this console'],
])('%j, which has no wrong value, is told what is missing and nothing else', async (args, message) => {
  const { exitCode, err } = await ran(...args);
  expect(exitCode).toBe(2);
  expect(err).toMatch(`coxswain: ${message}`);
  expect(err).not.toContain('what to do');
});

test('an empty COXSWAIN_TOKEN is none', async () => {
  const { output, exitCode } = startCox(['ps', '--url', 'http://127.0.0.1:1'], {
    env: { COXSWAIN_TOKEN: '' },
  });
  expect(await exitCode).toBe(2);
  expect(output.err).toContain('No token for this console');
});

test('times in the help have a unit', async () => {
  expect((await ran('doctor', '--help')).out).toContain('(default: 60s)');
});

test('--debug adds the stack of an error', async () => {
  const { err } = await ran('--debug', 'script-model', 'no-such-script.json');
  expect(err).toMatch(/\n {4}at /);
});
