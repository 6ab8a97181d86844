import { describe, expect, test } from 'vitest';
import { type Capabilities, capabilitiesOf, checkVersion } from '../../../../src/host/cli/capabilities.js';
import { factNames, spanOf, spanOfFlag, spanOfRequest } from '../../../../src/host/cli/known-facts.js';
import { factAt } from '../../../../src/host/cli/ledger/facts.js';
import { readLedger } from '../../../../src/host/cli/ledger/ledger.js';
import { hostRequests } from '../../../../src/wire/protocol/catalog/catalog.js';

const ledger = readLedger();
const on = (version: string | undefined): Capabilities => capabilitiesOf({ version });

const FATES: Readonly<Record<string, readonly string[]>> = {
  silent: ['silent'],
  unknown: ['refused'],
  served: ['served', 'ends'],
  refused: ['served'],
  named: ['served'],
};

describe('by the ledger', () => {
  test('the newest CLI has every fact, and a newer one is treated like it', () => {
    for (const version of [ledger.published.at(-1), '9.0.0'])
      expect(factNames.filter((fact) => !on(version).has(fact))).toEqual([]);
  });

  test.each([
    ['2.0.0', 'takesSystemPrompt', false],
    ['2.0.73', 'takesSystemPrompt', true],
    ['2.0.73', 'dryRunIsHarmless', false],
    ['2.1.17', 'dryRunIsHarmless', true],
    ['2.1.17', 'answersUnknownRequests', false],
    ['2.1.40', 'answersUnknownRequests', true],
    ['2.1.200', 'reportsLifecycle', false],
    ['2.1.260', 'reportsLifecycle', true],
  ] as const)('on %s %s is %s', (version, fact, expected) => {
    expect(on(version).has(fact)).toBe(expected);
  });

  test.each([
    ['2.0.0', 'rewind_files', 'silent'],
    ['2.0.73', 'rewind_files', 'served'],
    ['2.0.73', 'initialize', 'ends'],
    ['2.1.17', 'initialize', 'served'],
    ['2.1.17', 'get_context_usage', 'silent'],
    ['2.1.58', 'get_context_usage', 'refused'],
    ['2.1.310', 'get_context_usage', 'served'],
    ['2.1.326', 'get_chrome_status', 'refused'],
    ['2.0.73', 'a_request_from_the_future', 'served'],
    ['2.1.326', 'toString', 'served'],
  ] as const)('%s does with %s: %s', (version, subtype, fate) => {
    expect(on(version).fateOf(subtype)).toBe(fate);
  });

  test('an unknown version has only what all versions have', () => {
    expect(factNames.filter((fact) => on(undefined).has(fact))).toEqual([]);
    expect(['interrupt', 'set_model', 'mcp_status'].map((name) => on(undefined).fateOf(name))).toEqual(
      Array(3).fill('served'),
    );
    expect(on(undefined).fateOf('get_context_usage')).toBe('unknown');
    expect(on(undefined).fateOf('initialize')).toBe('ends');
    expect([on(undefined).takesFlag('--model'), on(undefined).takesFlag('--effort')]).toEqual([true, false]);
  });

  test('unknown hooks and flags are let through', () => {
    expect(on('2.0.0').callsHook('PreToolUse')).toBe(true);
    expect(on('2.0.0').callsHook('StopFailure')).toBe(false);
    expect(on('2.0.0').callsHook('FromTheFuture')).toBe(true);
    expect(on('2.0.0').takesFlag('--tools')).toBe(false);
    expect(on('2.0.0').takesFlag('--from-the-future')).toBe(true);
  });

  test('what would help is named, if there is anything', () => {
    expect(spanOf('answersUnknownRequests').inWords).toBe('CLI 2.1.40 or newer');
    expect(spanOfRequest('rewind_files').inWords).toMatch(/^CLI 2\.0\.\d+ or newer$/);
    expect(spanOfRequest('get_chrome_status').inWords).toBeUndefined();
    expect(spanOfRequest('a_request_from_the_future').inWords).toBeUndefined();
    expect(spanOfFlag('--mcp-debug').inWords).toMatch(/^a CLI from 2\.0\.0 on and before 2\.1\.\d+$/);
  });

  test('on every published version, each request gets the reaction in the ledger', () => {
    const wrong = ledger.published.flatMap((version) =>
      Object.keys(hostRequests).flatMap((name) => {
        const seen = factAt(ledger, `request:${name}`, version) ?? 'unknown';
        const fate = on(version).fateOf(name);
        const isRight = FATES[seen]?.includes(fate);
        return isRight === true ? [] : [`${version} ${name}: ${seen}, not ${fate}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('a version that is too old is refused with the oldest that works', () => {
    expect(() => checkVersion('1.0.128')).toThrow(
      expect.objectContaining({
        code: 'CLI_TOO_OLD',
        message: 'CLI 1.0.128 is too old: 2.0.0 is the oldest supported version.',
      }),
    );
    for (const version of [undefined, '2.0.0', '9.0.0']) checkVersion(version);
  });
});

describe('the CLI’s own reports take precedence', () => {
  const init = (more: object) => ({ type: 'system', subtype: 'init', ...more });

  test('its version, in the answer to initialize and in system/init', () => {
    const cli = capabilitiesOf({ version: '2.1.326', initialize: { claude_code_version: '2.1.200' } });
    expect(cli.version).toBe('2.1.200');
    expect(cli.has('reportsLifecycle')).toBe(false);
    cli.noteMessage(init({ claude_code_version: '2.1.326' }));
    expect(cli.version).toBe('2.1.326');
    expect(cli.has('reportsLifecycle')).toBe(true);
  });

  test('the capabilities of system/init, in both directions', () => {
    const old = on('2.1.17');
    old.noteMessage(init({ capabilities: ['msg_lifecycle_v1'] }));
    expect(old.has('reportsLifecycle')).toBe(true);
    expect(old.has('cancelsQueuedOnInterrupt')).toBe(false);
    const newest = on('2.1.326');
    newest.noteMessage(init({}));
    expect(newest.has('reportsLifecycle')).toBe(true);
    newest.noteMessage(init({ capabilities: [] }));
    expect(newest.has('reportsLifecycle')).toBe(false);
  });

  test('a first command_lifecycle, and tools in a row of mcp_status', () => {
    const cli = on(undefined);
    cli.noteMessage({ type: 'command_lifecycle' });
    expect(cli.has('reportsLifecycle')).toBe(true);
    cli.noteAnswer('mcp_status', { mcpServers: [{ name: 'a', status: 'connected' }] });
    expect(cli.has('listsToolsInStatus')).toBe(false);
    cli.noteAnswer('mcp_status', { mcpServers: [null, { name: 'a', tools: [] }] });
    expect(cli.has('listsToolsInStatus')).toBe(true);
  });

  test('an answer, and an error for an unknown subtype', () => {
    const cli = on('2.1.326');
    expect(cli.noteRefusal('get_status', 'Unsupported control request subtype: get_status')).toBe(true);
    expect(cli.fateOf('get_status')).toBe('refused');
    expect(cli.noteRefusal('set_model', 'No such model')).toBe(false);
    expect(cli.fateOf('set_model')).toBe('served');
    const old = on('2.1.17');
    old.noteRefusal('get_status', 'Unsupported control request subtype: get_status');
    expect(old.fateOf('get_context_usage')).toBe('refused');
    old.noteAnswer('get_context_usage', {});
    expect(old.fateOf('get_context_usage')).toBe('served');
  });

  test('patches serve the requests they added', () => {
    const cli = capabilitiesOf({ version: '2.0.73', patches: new Set(['mcp_tools']) });
    expect(cli.fateOf('mcp_tools')).toBe('served');
  });
});
