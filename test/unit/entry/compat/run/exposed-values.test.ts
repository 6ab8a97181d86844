import { expect, test } from 'vitest';
import { reportVariables } from '../../../../../src/entry/compat/run/exposed-values.js';
import type { Diagnostic } from '../../../../../src/wire/util/diagnostics.js';

const flags = new Set<string>();

function reportedFor(...args: readonly string[]): readonly Diagnostic[] {
  const reported: Diagnostic[] = [];
  reportVariables(args, (diagnostic) => reported.push(diagnostic), flags);
  return reported;
}

test('variables and headers on a command line are reported once per flag, without their values', () => {
  const servers = JSON.stringify({ mcpServers: { one: { command: 'x', env: { KEY: 's3cret' } } } });
  const [diagnostic, ...more] = reportedFor('--mcp-config', servers);
  expect(more).toEqual([]);
  expect(diagnostic).toMatchObject({ code: 'SECRET_IN_ARGUMENTS', flag: '--mcp-config' });
  expect(diagnostic?.message).toContain("mcpServersDelivery: 'initialize'");
  expect(diagnostic?.message).not.toContain('s3cret');
  expect(reportedFor('--mcp-config', servers)).toEqual([]);
});

test('prompts of agents are reported too', () => {
  const agents = JSON.stringify({ helper: { description: 'Helps', prompt: 'Log in with s3cret.' } });
  expect(reportedFor('--agents', agents)).toMatchObject([{ code: 'SECRET_IN_ARGUMENTS', flag: '--agents' }]);
});

test('prompts that an old CLI takes only as arguments are reported, empty ones are not', () => {
  expect(reportedFor('--system-prompt', '', '--append-system-prompt', 'Use s3cret.')).toMatchObject([
    { code: 'SECRET_IN_ARGUMENTS', flag: '--append-system-prompt' },
  ]);
});

test('paths, other values and servers without variables are not reported', () => {
  expect(reportedFor('--settings', '/some/settings.json', '--model', '{"env":{"A":"b"}}')).toEqual([]);
  expect(reportedFor('--settings', '{"env":{},"permissions":{"deny":["Bash"]}}', '--agents')).toEqual([]);
});
