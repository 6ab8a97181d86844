import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { filterEscalatingDefaultMode } from '../../../../../src/entry/compat/settings/default-mode.js';
import { matchDeniedModels } from '../../../../../src/entry/compat/settings/denied-models.js';
import { resolveSettings } from '../../../../../src/entry/compat/settings/resolve-settings.js';
import type { ResolvedSettings } from '../../../../../src/entry/compat/types/setting-types.js';
import type { Settings } from '../../../../../src/entry/compat/types/settings/settings.js';

describe('resolveSettings', () => {
  let folder = '';
  let cwd = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'settings-'));
    cwd = join(folder, 'project');
    await mkdir(join(cwd, '.claude'), { recursive: true });
    vi.stubEnv('CLAUDE_CONFIG_DIR', folder);
    const files = {
      'settings.json': { model: 'u', permissions: { allow: ['A', 'B'] }, env: { X: '1' } },
      'project/.claude/settings.json': {
        model: 'p',
        permissions: { allow: ['B', 'C'], defaultMode: 'auto' },
      },
      'project/.claude/settings.local.json': { env: { Y: '2' } },
    };
    for (const [name, settings] of Object.entries(files))
      await writeFile(join(folder, name), JSON.stringify(settings));
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  test('merges files from the weakest to the strongest, and names the source of each key', async () => {
    const { effective, provenance, sources } = await resolveSettings({ cwd });
    expect(effective).toEqual({
      model: 'p',
      permissions: { allow: ['A', 'B', 'C'], defaultMode: 'auto' },
      env: { X: '1', Y: '2' },
    });
    expect(sources.map(({ source }) => source)).toEqual(['user', 'project', 'local']);
    expect(provenance).toMatchObject({ model: { source: 'project' }, env: { source: 'local' } });
  });

  test('reads only the requested sources, and treats a broken file as missing', async () => {
    await writeFile(join(folder, 'settings.json'), '{');
    expect((await resolveSettings({ cwd, settingSources: ['user'] })).sources).toEqual([]);
    expect((await resolveSettings({ cwd, settingSources: [] })).effective).toEqual({});
  });

  test('lets a program add only restrictions to the policy', async () => {
    const managedSettings: Settings = {
      model: 'm',
      env: { Z: '1' },
      permissions: { deny: ['D'], defaultMode: 'auto' },
      allowManagedHooksOnly: true,
    };
    const { sources } = await resolveSettings({ cwd, settingSources: [], managedSettings });
    expect(sources).toEqual([
      {
        source: 'managed',
        policyOrigin: 'parent',
        settings: { permissions: { deny: ['D'] }, allowManagedHooksOnly: true },
      },
    ]);
  });

  test('uses server-managed settings first, unchanged', async () => {
    const given = {
      settingSources: [],
      serverManagedSettings: { model: 's' },
      managedSettings: { permissions: { deny: ['D'] } },
    };
    expect((await resolveSettings({ cwd, ...given })).sources).toEqual([
      { source: 'managed', policyOrigin: 'remote', settings: { model: 's' } },
    ]);
  });
});

test.each<[string, string[], string, boolean]>([
  ['a repository', ['project'], 'bypassPermissions', false],
  ['the user', ['user'], 'bypassPermissions', true],
  ['the user over a repository', ['project', 'local'], 'acceptEdits', true],
  ['a repository that asks for no less', ['project'], 'plan', true],
])('a mode of %s is kept or dropped', (_name, sources, defaultMode, kept) => {
  const settings = { permissions: { defaultMode, allow: ['A'] } };
  const resolved = {
    effective: settings,
    provenance: {},
    sources: sources.map((source) => ({ source, settings })),
  };
  const { permissions } = filterEscalatingDefaultMode(resolved as ResolvedSettings);
  expect(permissions).toEqual(kept ? settings.permissions : { allow: ['A'] });
});

test.each<[string[], string[], boolean[]]>([
  [
    ['claude-opus-4-1-20250805', 'Claude-Opus-4-1', 'claude-opus-41', 'claude-opus-4-1[1m]'],
    ['claude-opus-4-1'],
    [true, true, false, true],
  ],
  [
    ['opus', 'claude-opus-4', 'us.anthropic.claude-opus-4-1-20250805-v1:0', 'opusplan', 'sonnet'],
    ['opus'],
    [true, true, true, false, false],
  ],
  [['claude-sonnet-4-5-20250929'], ['claude-sonnet-4'], [true]],
  [['my-model', ' MY-MODEL ', 'my-model-2'], ['my-model'], [true, true, false]],
  [['default'], ['default'], [false]],
])('of %j the list %j denies %j', async (models, list, denied) => {
  expect((await matchDeniedModels(models, list)).denied).toEqual(denied);
});

test('invalid lists are reported and never throw', async () => {
  expect(await matchDeniedModels('x' as never, [5] as never)).toMatchObject({
    denied: [],
    warnings: { length: 2 },
  });
  expect(await matchDeniedModels(['a'], undefined)).toEqual({ denied: [false], warnings: [] });
});
