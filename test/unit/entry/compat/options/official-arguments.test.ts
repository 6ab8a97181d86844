import { describe, expect, test } from 'vitest';
import { argumentsFor } from '../../../../../src/entry/compat/options/official-arguments.js';
import type { Options } from '../../../../../src/entry/compat/types/option-types.js';

const BASE = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];

function given(options: Options): string[] {
  return argumentsFor(options).slice(BASE.length);
}

test('starts with what the control protocol needs', () => {
  expect(argumentsFor({})).toEqual(BASE);
});

describe('each option becomes the same argument as in the official SDK', () => {
  test.each<[Options, string[]]>([
    [{ model: 'a', fallbackModel: 'b' }, ['--model=a', '--fallback-model=b']],
    [
      { maxTurns: 3, maxBudgetUsd: 1.5, taskBudget: { total: 9 } },
      ['--max-turns=3', '--max-budget-usd=1.5', '--task-budget=9'],
    ],
    [
      { thinking: { type: 'adaptive', display: 'omitted' } },
      ['--thinking=adaptive', '--thinking-display=omitted'],
    ],
    [{ thinking: { type: 'enabled', budgetTokens: 5 } }, ['--max-thinking-tokens=5']],
    [{ thinking: { type: 'enabled' } }, ['--thinking=adaptive']],
    [{ thinking: { type: 'disabled' }, maxThinkingTokens: 7 }, ['--thinking=disabled']],
    [{ maxThinkingTokens: 0 }, ['--thinking=disabled']],
    [{ maxThinkingTokens: 7 }, ['--max-thinking-tokens=7']],
    [{ tools: [] }, ['--tools=']],
    [{ tools: { type: 'preset', preset: 'claude_code' } }, ['--tools=default']],
    [{ allowedTools: ['Read'], skills: ['a'] }, ['--allowedTools=Read,Skill(a)']],
    [{ skills: 'all' }, ['--allowedTools=Skill']],
    [{ allowedTools: [], disallowedTools: [] }, []],
    [{ settingSources: [] }, ['--setting-sources=']],
    [{ additionalDirectories: ['/a', '/b'] }, ['--add-dir=/a', '--add-dir=/b']],
    [{ canUseTool: async () => null }, ['--permission-prompt-tool=stdio']],
    [{ permissionPromptToolName: 'mcp__x__y' }, ['--permission-prompt-tool=mcp__x__y']],
    [{ debug: true }, ['--debug']],
    [{ debug: true, debugFile: '/d' }, ['--debug-file=/d']],
    [{ persistSession: false }, ['--no-session-persistence']],
    [{ persistSession: true, includePartialMessages: false }, []],
    [
      { outputFormat: { type: 'json_schema', schema: { type: 'object' } } },
      ['--json-schema={"type":"object"}'],
    ],
    [{ extraArgs: { a: 'b', c: null, d: '-x' } }, ['--a', 'b', '--c', '--d=-x']],
    [{ settings: '/s.json' }, ['--settings', '/s.json']],
    [
      { settings: { a: 1 }, sandbox: { enabled: true } },
      ['--settings', '{"a":1,"sandbox":{"enabled":true,"failIfUnavailable":true}}'],
    ],
    [
      { sandbox: { enabled: true, failIfUnavailable: false }, settings: '{"a":1}' },
      ['--settings', '{"a":1,"sandbox":{"enabled":true,"failIfUnavailable":false}}'],
    ],
    [
      {
        plugins: [
          { type: 'local', path: '/p' },
          { type: 'local', path: '/q', skipMcpDiscovery: true },
        ],
      },
      ['--plugin-dir=/p', '--plugin-dir-no-mcp=/q'],
    ],
    [{ plugins: [{ type: 'local', path: '/p' }], pluginDelivery: 'initialize' }, ['--await-initialize']],
    [
      { mcpServers: { files: { command: 'node' } } },
      ['--mcp-config', '{"mcpServers":{"files":{"command":"node"}}}'],
    ],
    [{ mcpServers: {} }, []],
  ])('%j', (options, expected) => {
    expect(given(options)).toEqual(expected);
  });
});

test('leaves in-process servers out of the command line', () => {
  const own = { type: 'sdk' as const, name: 'own', instance: { connect: () => {} } };
  expect(given({ mcpServers: { own } })).toEqual([]);
});

test('ignores unknown options', () => {
  const options = { nonsense: 1 } as unknown as Options;
  expect(given(options)).toEqual([]);
});

test('refuses a sandbox with a settings file, into which it cannot be merged', () => {
  expect(() => given({ settings: '/s.json', sandbox: { enabled: true } })).toThrow('settings file');
});
