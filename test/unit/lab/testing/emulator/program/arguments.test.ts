import { describe, expect, test } from 'vitest';
import { cliOptionSpecs } from '../../../../../../src/host/cli/options/cli-option-table.js';
import { lastValue, readArguments } from '../../../../../../src/lab/testing/emulator/program/arguments.js';
import { knownFlags } from '../../../../../../src/lab/testing/emulator/program/flags.js';

describe('the command line of the emulated CLI', () => {
  test('is parsed as the CLI does', () => {
    const args = readArguments([
      '--model=opus',
      '--add-dir',
      'a',
      'b',
      '--verbose',
      '--session-id',
      '-odd-',
      '--model',
      'sonnet',
      '--resume',
      '--print',
      'the prompt',
      '--',
      '--not-a-flag',
    ]);
    expect(lastValue(args, '--model')).toBe('sonnet');
    expect(args.flags.get('--add-dir')).toEqual(['a', 'b']);
    expect(lastValue(args, '--session-id')).toBe('-odd-');
    expect(lastValue(args, '--resume')).toBe('');
    expect(args.words).toEqual(['the prompt', '--not-a-flag']);
    expect(args.unknown).toEqual([]);
  });

  test('keeps unknown arguments, so that the scenario can fail because of them', () => {
    expect(readArguments(['--verbose', '--sing=loud', '-q']).unknown).toEqual(['--sing', '-q']);
  });

  test('knows every flag that our transport passes', () => {
    const passed = Object.values(cliOptionSpecs).flatMap(({ passed }) => {
      if ('flag' in passed) return [passed.flag];
      return 'flags' in passed ? passed.flags.split(/[=,\s]+/).filter((flag) => flag !== '') : [];
    });
    expect(passed.length).toBeGreaterThan(30);
    expect(passed.filter((flag) => !knownFlags.has(flag))).toEqual([]);
  });
});
