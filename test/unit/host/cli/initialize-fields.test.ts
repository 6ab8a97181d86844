import { describe, expect, test } from 'vitest';
import { capabilitiesOf } from '../../../../src/host/cli/capabilities.js';
import {
  checkIgnored,
  dependsOnCli,
  flagsForIgnored,
  namedFields,
} from '../../../../src/host/cli/initialize-fields.js';
import { spanOfField } from '../../../../src/host/cli/known-facts.js';

const on = (version: string | undefined) => capabilitiesOf({ version });
const fields = ['title', 'skills', ...namedFields];

describe('options that become fields of initialize', () => {
  test.each(fields)('%s is refused by name on a CLI that would ignore it', (name) => {
    const options = { [name]: ['x'] };
    expect(dependsOnCli(options)).toBe(true);
    for (const version of ['2.0.0', '2.0.73', '2.1.17'])
      expect(() => checkIgnored(options, on(version))).toThrow(
        new RegExp(
          `^Option "${name}" would be ignored by CLI ${version}: leave it out, or use CLI 2\\.1\\.\\d+ or newer`,
        ),
      );
    for (const version of ['2.1.326', '9.9.9', undefined])
      expect(() => checkIgnored(options, on(version))).not.toThrow();
  });

  test.each(fields)('%s requests nothing if it is off', (name) => {
    for (const value of [undefined, false, 'all']) {
      expect(dependsOnCli({ [name]: value })).toBe(false);
      expect(() => checkIgnored({ [name]: value }, on('2.0.0'))).not.toThrow();
    }
  });

  test.each(namedFields)('the ledger knows which versions have %s', (name) => {
    expect(spanOfField(name).isUnknown).toBe(false);
  });
});

test('an old CLI gets as flags what it ignores in initialize', () => {
  const agents = { parrot: { description: 'd', prompt: 'p' } };
  const options = { systemPrompt: ['one', 'two'], appendSystemPrompt: 'three', agents };
  const flags = flagsForIgnored(options, on('2.0.44'));
  expect([...flags.values()]).toEqual([
    ['system-prompt', 'one\n\ntwo'],
    ['append-system-prompt', 'three'],
    ['agents', JSON.stringify(agents)],
  ]);
  expect(() => checkIgnored(options, on('2.0.44'), flags)).not.toThrow();
  expect(() => checkIgnored(options, on('2.0.44'))).toThrow('would be ignored');
  expect([...flagsForIgnored(options, on('2.0.57')).keys()]).toEqual(['agents']);
  for (const version of ['2.0.58', undefined]) expect(flagsForIgnored(options, on(version)).size).toBe(0);
});

test('an empty system prompt, which old CLIs read as none, stays refused', () => {
  const flags = flagsForIgnored({ systemPrompt: '' }, on('2.0.44'));
  expect(() => checkIgnored({ systemPrompt: '' }, on('2.0.44'), flags)).toThrow('would be ignored');
});
