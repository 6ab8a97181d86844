import { describe, expect, test } from 'vitest';
import { launchOptionSpecs, withoutStart } from '../../../../../src/host/cli/options/cli-option-table.js';
import { initializeOptionSpecs } from '../../../../../src/host/cli/options/initialize-options.js';
import { type LaunchOptionSpec, optionsOf } from '../../../../../src/host/cli/options/passing.js';

const specs: Readonly<Record<string, LaunchOptionSpec>> = { ...launchOptionSpecs, ...initializeOptionSpecs };

describe('what the tables say about options', () => {
  test.each(optionsOf(specs, 'stored', true))(
    '%s, which is stored and sent to workers, is plain data',
    (name) => {
      const { kind, remotely } = specs[name] ?? {};
      expect(kind?.accepts(() => {})).toBe(false);
      expect(remotely).toBeUndefined();
    },
  );

  test.each(optionsOf(specs, 'ofOneStart', true))(
    '%s, which selects a conversation, is never stored',
    (name) => {
      expect(specs[name]?.stored).toBeUndefined();
    },
  );

  test('a later start keeps everything but the choice of the conversation', () => {
    const choice = { resume: 'a', continue: true, forkSession: true, sessionId: 'b' };
    expect(withoutStart({ ...choice, resumeSessionAt: 'm', resumeDropsTurn: 't', model: 'opus' })).toEqual({
      model: 'opus',
    });
  });
});
