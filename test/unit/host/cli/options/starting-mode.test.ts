import { describe, expect, test } from 'vitest';
import { capabilitiesOf } from '../../../../../src/host/cli/capabilities.js';
import { modeThatAsks } from '../../../../../src/host/cli/options/starting-mode.js';

const on = (version: string | undefined) => capabilitiesOf({ version });

describe('the mode of a CLI that should prompt', () => {
  test.each([
    ['2.1.296', 'default'],
    [undefined, 'default'],
    ['2.0.73', undefined],
    ['2.1.326', undefined],
    ['9.9.9', undefined],
  ])('of %s is set only if it would choose another one: %s', (version, mode) => {
    expect(modeThatAsks({}, on(version))).toBe(mode);
    expect(modeThatAsks({ settings: { permissions: { allow: ['Read'] } } }, on(version))).toBe(mode);
  });

  test.each([
    { permissionMode: 'auto' as const },
    { extraArgs: { 'permission-mode': 'plan' } },
    { settings: { permissions: { defaultMode: 'acceptEdits' } } },
  ])('is left alone if it was set: %j', (choice) => {
    expect(modeThatAsks(choice, on('2.1.296'))).toBeUndefined();
  });
});
