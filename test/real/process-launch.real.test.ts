import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { spanOfFlag } from '../../src/host/cli/known-facts.js';
import { cliOptionSpecs } from '../../src/host/cli/options/cli-option-table.js';
import type { CliOptions } from '../../src/host/cli/options/cli-options.js';
import { text } from '../../src/lab/testing/model/replies.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import { type RealCliOptions, realCli } from '../../src/lab/testing/real-cli/real-cli.js';
import { makeThrowawayFolders } from '../../src/lab/testing/real-cli/throwaway-folders.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { describeRealClis, eachRealCli } from './support/each-real-cli.js';
import { RawConversation } from './support/raw-conversation.js';

const SESSION_ID = '11111111-2222-4333-8444-555555555555';
const FORK_ID = '11111111-2222-4333-8444-666666666666';

/** One value for each option that all CLIs accept; those for resuming have a separate test. */
const everywhere: CliOptions = {
  additionalDirectories: ['/tmp', '/usr'],
  agent: 'general-purpose',
  allowDangerouslySkipPermissions: true,
  allowedTools: ['Read', 'Bash(git:*)'],
  betas: ['context-1m-2025-08-07'],
  debug: 'api',
  disallowedTools: ['WebFetch', 'WebSearch'],
  enableFileCheckpointing: true,
  fallbackModel: 'haiku',
  partialMessages: true,
  maxBudgetUsd: 1.5,
  maxTurns: 3,
  mcpServers: { nobody: { command: '/bin/false' } },
  outputSchema: { type: 'object' },
  permissionMode: 'acceptEdits',
  permissionPromptTool: 'stdio',
  persistSession: false,
  plugins: [{ type: 'local', path: '/nowhere' }],
  replayUserMessages: true,
  sandboxed: true,
  sessionId: SESSION_ID,
  settings: { env: { A: '1' } },
  settingSources: ['user', 'local'],
  skills: ['some-skill'],
  chrome: false,
  strictMcpConfig: true,
  thinking: { type: 'enabled', budgetTokens: 2000 },
  toolConfig: { askUserQuestion: { previewFormat: 'html' } },
  tools: ['Bash', 'Read'],
};

/** One value for each option that only newer CLIs accept. */
const newer: CliOptions = {
  awaitInitialize: true,
  debugFile: join(tmpdir(), 'coxswain-debug-file-of-a-test.txt'),
  effort: 'max',
  includeHookEvents: true,
  managedSettings: {},
  permissionPrompts: 'host',
  plugins: [{ type: 'local', path: '/nowhere', skipMcpDiscovery: true }],
  projectConfigRoot: '/tmp',
  sandbox: { enabled: false },
  sessionMirror: true,
  taskBudget: { total: 20_000 },
  thinking: { type: 'adaptive', display: 'summarized' },
  workload: 'test',
};

/** Starts a CLI, runs one turn and returns its first message. */
async function systemInit(options: Omit<RealCliOptions, 'model'>): Promise<WireObject> {
  await using model = await scriptModel([{ reply: text('Aye.'), times: 'any' }]);
  await using cli = await realCli({ ...options, model });
  const { frames } = await new RawConversation(cli).turn('hello');
  return frames.find(({ subtype }) => subtype === 'init') ?? {};
}

/** A home and a working folder in which several CLIs run one after the other. */
async function makePlace() {
  const folders = await makeThrowawayFolders();
  const model = await scriptModel([{ reply: text('Aye.'), times: 'any' }]);
  const { home, cwd } = folders;
  return {
    turn: async (options: Omit<RealCliOptions, 'model'>) => {
      await using cli = await realCli({ ...options, home, cwd, model });
      const { frames } = await new RawConversation(cli).turn('hello');
      const answer = frames.findLast(({ type }) => type === 'assistant');
      const init = frames.find(({ subtype }) => subtype === 'init') ?? {};
      return { init, answerId: String(answer?.uuid) };
    },
    [Symbol.asyncDispose]: async () => {
      await model.close();
      await folders.remove();
    },
  };
}

async function initialized(options: Omit<RealCliOptions, 'model'>): Promise<WireObject> {
  await using model = await scriptModel([{ reply: text('Aye.'), times: 'any' }]);
  await using cli = await realCli({ ...options, model });
  return await new RawConversation(cli).request('initialize');
}

describeRealClis('the command line', ({ version }) => {
  test('is accepted with every option that all CLIs have', async () => {
    expect(await initialized({ version, ...everywhere })).toMatchObject({ subtype: 'success' });
  });

  test('can turn off thinking, tools and settings files', async () => {
    const init = await systemInit({ version, thinking: { type: 'disabled' }, tools: [], settingSources: [] });
    expect(init).toMatchObject({ tools: [], permissionMode: 'default' });
  });

  test('names the session, the mode and the tools', async () => {
    const init = await systemInit({
      version,
      sessionId: SESSION_ID,
      permissionMode: 'plan',
      tools: ['Bash', 'Read'],
    });
    expect(init).toMatchObject({ session_id: SESSION_ID, permissionMode: 'plan', tools: ['Bash', 'Read'] });
  });

  test('with settings files: all without the option, none with an empty list', async () => {
    const home = await mkdtemp(join(tmpdir(), 'home-'));
    await mkdir(join(home, '.claude'));
    await writeFile(join(home, '.claude/settings.json'), '{"permissions":{"defaultMode":"plan"}}');
    const loaded = await systemInit({ version, home, settingSources: undefined });
    const isolated = await systemInit({ version, home, settingSources: [] });
    expect([loaded.permissionMode, isolated.permissionMode]).toEqual(['plan', 'default']);
    await rm(home, { recursive: true });
  });

  test('passes very long settings and servers in files', async () => {
    const big = 'x'.repeat(200_000);
    const init = await systemInit({
      version,
      settings: { permissions: { defaultMode: 'acceptEdits' }, env: { BIG: big } },
      mcpServers: { nobody: { command: '/bin/false', env: { BIG: big } } },
    });
    expect(init).toMatchObject({ permissionMode: 'acceptEdits', mcp_servers: [{ name: 'nobody' }] });
  });
});

eachRealCli('a conversation is resumed, forked and continued', async ({ version }) => {
  await using place = await makePlace();
  const first = await place.turn({ version, sessionId: SESSION_ID });
  expect(first.init.session_id).toBe(SESSION_ID);
  const again = await place.turn({ version, resume: SESSION_ID });
  expect(again.init.session_id).toBe(SESSION_ID);
  // After a fork, CLIs differ in which of the two they consider the newest.
  expect((await place.turn({ version, continue: true })).init.session_id).toBe(SESSION_ID);
  const fork = { resume: SESSION_ID, forkSession: true, sessionId: FORK_ID, resumeSessionAt: first.answerId };
  expect((await place.turn({ version, ...fork })).init.session_id).toBe(FORK_ID);
});

eachRealCli('the version is known from the package next to the CLI', async ({ version }) => {
  await using model = await scriptModel([]);
  await using cli = await realCli({ version, model });
  expect(await cli.version).toBe(version);
});

eachRealCli('a CLI that exits early gives the reason, at once', async ({ version }) => {
  await using model = await scriptModel([]);
  await using cli = await realCli({ version, model, extraArgs: { 'no-such-flag': null } });
  cli.start(() => {});
  const end = await cli.ended;
  expect(end).toMatchObject({ reason: 'exited', code: 1 });
  expect(end).toHaveProperty('stderrTail', expect.stringContaining("unknown option '--no-such-flag'"));
});

eachRealCli(
  'the newest CLI accepts options that only newer ones have',
  async ({ version }) => {
    const both = { ...everywhere, ...newer };
    expect(await initialized({ version, ...both })).toMatchObject({ subtype: 'success' });
    expect(await initialized({ version, permissionMode: 'auto' })).toMatchObject({ subtype: 'success' });
    await rm(newer.debugFile ?? '', { force: true });
  },
  ['2.1.326'],
);

eachRealCli(
  'options that an old CLI lacks, according to the table, really end it',
  async ({ version }) => {
    await using model = await scriptModel([]);
    const names = flagsLacked(version);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      await using cli = await realCli({ version, model, extraArgs: { [name]: null } });
      cli.start(() => {});
      const end = await cli.ended;
      expect(end, name).toHaveProperty('stderrTail', expect.stringContaining(`unknown option '--${name}`));
    }
  },
  ['2.1.17'],
);

/** The flags of options, by name, that a version lacks. */
function flagsLacked(version: string): string[] {
  const flags = Object.values(cliOptionSpecs).flatMap(({ passed }) => {
    if (passed.as === 'arguments') return passed.flags.split(', ');
    return 'flag' in passed ? [passed.flag] : [];
  });
  const plain = flags.map((flag) => flag.replace(/=$/, ''));
  return plain.filter((flag) => !spanOfFlag(flag).holdsIn(version)).map((flag) => flag.replace(/^--/, ''));
}

describe('every option of the table', () => {
  test('is tried on real CLIs here, or is about the process', () => {
    const tried = new Set([...Object.keys(everywhere), ...Object.keys(newer)]);
    const elsewhere = ['continue', 'resume', 'forkSession', 'resumeSessionAt'];
    const same = ['model', 'maxThinkingTokens'];
    const missing = Object.entries(cliOptionSpecs)
      .filter(([name, { passed }]) => passed.as !== 'spawn' && !tried.has(name))
      .map(([name]) => name)
      .filter((name) => ![...elsewhere, ...same, 'entrypoint'].includes(name));
    // Needs a turn that was dropped before, which only an account's session has.
    expect(missing).toEqual(['resumeDropsTurn']);
  });
});
