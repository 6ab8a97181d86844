import { describe, expect, test } from 'vitest';
import { emulateCli } from '../../../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, unasked } from '../../../../../src/lab/testing/emulator/scenario/scenario.js';
import { askQuestion } from '../../../../../src/lab/testing/emulator/steps/tool-steps.js';
import { emulatedVersions, traitsOf } from '../../../../../src/lab/testing/emulator/versions/traits.js';
import { EmulatedHost } from '../../../../support/emulated-host.js';

describe('versions between the probed ones', () => {
  test('every published version from 2.0.0 on has traits', () => {
    const versions = emulatedVersions();
    expect(versions[0]).toBe('2.0.0');
    expect(versions.length).toBeGreaterThan(300);
    expect(versions.map((version) => traitsOf(version).version)).toEqual(versions);
  });

  test.each(['2.1.24', '1.0.128', '9.9.9', 'latest'])('%s is refused with the range', (version) => {
    expect(() => emulateCli([], { version })).toThrow(
      /cannot be emulated; use a version on npm from 2\.0\.0 to 2\.\d+\.\d+\.$/,
    );
  });

  test('serves the requests of its own version, and refuses others', async () => {
    const cli = emulateCli([], { version: '2.1.200', strict: false });
    const host = new EmulatedHost(cli);
    expect(await host.ask('get_context_usage')).toMatchObject({ subtype: 'success' });
    expect(await host.ask('get_skills_dialog')).toEqual({
      subtype: 'error',
      request_id: expect.any(String),
      error: 'Unsupported control request subtype: get_skills_dialog',
    });
    await host.close();
  });

  test('has no questions before the tool existed', async () => {
    const cli = emulateCli([onUser([askQuestion('Which?')])], { version: '2.0.60' });
    const host = new EmulatedHost(cli);
    await host.user('go');
    await host.next('result/success');
    await host.close();
    expect(JSON.stringify(host.frames)).toContain('No such tool available: AskUserQuestion');
    expect(host.labels).not.toContain('ask can_use_tool');
  });

  test('starts no turn on its own before versions that do', () => {
    const cues = [onUser([]), unasked([])];
    expect(() => emulateCli(cues, { version: '2.1.40' })).toThrow(/never starts a turn on its own/);
    expect(() => emulateCli(cues, { version: '2.1.58' })).not.toThrow();
  });
});

test('flags belong to versions', () => {
  expect(traitsOf('2.0.0').takesFlag('--max-budget-usd')).toBe(false);
  expect(traitsOf('2.0.30').takesFlag('--max-budget-usd')).toBe(true);
  expect(traitsOf('2.0.73').takesFlag('--max-budget-usd')).toBe('listed');
  expect(traitsOf('2.1.326').takesFlag('--mcp-debug')).toBe(false);
});
