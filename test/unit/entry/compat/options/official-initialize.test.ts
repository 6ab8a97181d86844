import { describe, expect, test } from 'vitest';
import {
  fieldsFor,
  flagsForFields,
  initializeFields,
} from '../../../../../src/entry/compat/options/official-initialize.js';
import type { Options } from '../../../../../src/entry/compat/types/option-types.js';
import { capabilitiesOf } from '../../../../../src/host/cli/capabilities.js';

const server = { type: 'sdk' as const, name: 'clock', instance: { connect: () => {} } };

test.each<[string, Options, object]>([
  ['no prompt as an empty one', {}, { systemPrompt: [''] }],
  ['a text as a list', { systemPrompt: 'a' }, { systemPrompt: ['a'] }],
  ['a list as it is', { systemPrompt: ['a', 'b'] }, { systemPrompt: ['a', 'b'] }],
  [
    'a custom prompt',
    { systemPrompt: { type: 'custom', prompt: 'a', snapshot: true } },
    { systemPrompt: ['a'], systemPromptSnapshot: true },
  ],
  ['the preset not at all', { systemPrompt: { type: 'preset', preset: 'claude_code' } }, {}],
  [
    'text appended to the preset',
    { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'a', excludeDynamicSections: true } },
    { appendSystemPrompt: 'a', excludeDynamicSections: true },
  ],
])('sends %s', (_name, options, expected) => {
  expect(initializeFields(options, undefined)).toEqual(expected);
});

test('lists in-process servers and what the CLI must know about them', () => {
  const mcpServers = { clock: { ...server, timeout: 5 }, plain: server, files: { command: 'node' } };
  expect(initializeFields({ mcpServers }, undefined)).toMatchObject({
    sdkMcpServers: ['clock', 'plain'],
    sdkMcpServerConfigs: { clock: { timeout: 5 } },
  });
});

test('passes on fields under their own names, and nothing that was not given', () => {
  const options: Options = { title: 't', skills: ['a'], agents: {}, promptSuggestions: false };
  expect(initializeFields(options, { Stop: [] })).toEqual({
    systemPrompt: [''],
    hooks: { Stop: [] },
    ...options,
  });
  expect(initializeFields({ skills: 'all' }, undefined)).not.toHaveProperty('skills');
});

test('passes plugins there if requested', () => {
  const plugins = [{ type: 'local' as const, path: '/p' }];
  expect(initializeFields({ plugins, pluginDelivery: 'initialize' }, undefined)).toMatchObject({ plugins });
  expect(initializeFields({ plugins }, undefined)).not.toHaveProperty('plugins');
});

describe('on an old CLI', () => {
  const on = (version: string | undefined) => capabilitiesOf({ version });

  test.each<[Options, Record<string, string>]>([
    [{ systemPrompt: 'Be brief.' }, { 'system-prompt': 'Be brief.' }],
    [
      { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Be brief.' } },
      { 'append-system-prompt': 'Be brief.' },
    ],
    [
      { agents: { helper: { description: 'Helps', prompt: 'Help.' } } },
      { agents: '{"helper":{"description":"Helps","prompt":"Help."}}' },
    ],
  ])('%j becomes a flag, because the field would be ignored', (options, flags) => {
    expect(flagsForFields(options, on('2.0.30'))).toEqual(flags);
    expect(flagsForFields(options, on('2.1.326'))).toEqual({});
  });

  test.each<[Options, string, string]>([
    [{ outputFormat: { type: 'json_schema', schema: {} } }, 'outputFormat', 'or newer'],
    [{ skills: ['heron'] }, 'skills', 'or newer'],
    [{ toolAliases: { Read: 'Look' } }, 'toolAliases', 'or newer'],
  ])('an option that it would ignore is refused by name: %j', (options, name, clis) => {
    expect(() => flagsForFields(options, on('2.0.30'))).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        message: expect.stringMatching(new RegExp(`"${name}" .* 2\\.0\\.30.*${clis}`)),
      }),
    );
    flagsForFields(options, on('2.1.326'));
    flagsForFields(options, on(undefined));
    flagsForFields({ skills: 'all', promptSuggestions: true, title: 'Herons' }, on('2.0.30'));
  });

  test('a prompt is a string if a list would be ignored', () => {
    const fields = { systemPrompt: ['One.', 'Two.'], title: 'x' };
    expect(fieldsFor(fields, on('2.1.58'))).toEqual({ systemPrompt: 'One.\n\nTwo.', title: 'x' });
    expect(fieldsFor(fields, on('2.1.326'))).toEqual(fields);
    expect(fieldsFor(fields, on(undefined))).toEqual(fields);
    expect(fieldsFor({ systemPrompt: [''] }, on('2.0.73'))).toEqual({ systemPrompt: [''] });
  });
});
