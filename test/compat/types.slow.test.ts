import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ENTRIES, OFFICIAL, OURS } from '../../scripts/lib/beside-official.mjs';
// @ts-expect-error: a script, without types
import { exportsOf } from '../../scripts/lib/declarations.mjs';
import { missingMembers } from '../../scripts/lib/missing-members.mjs';
// @ts-expect-error: a script, without types
import { readOfficialSurface, SURFACE_FILE } from '../../scripts/lib/official-surface.mjs';
import { acceptedGaps, acceptedMisfits, complaints, misfits } from './harness/assignable.js';

const surface = JSON.parse(readFileSync(SURFACE_FILE, 'utf8'));
const isInstalled = existsSync('test/peers/node_modules/@anthropic-ai/claude-agent-sdk/sdk.d.ts');
const NOT_INSTALLED =
  'the official SDK is not installed in test/peers (see the npm error above, or run npm test)';

test('the names on the reference page are those of the official declarations', ({ skip }) => {
  if (!isInstalled) skip(NOT_INSTALLED);
  expect(surface).toEqual(readOfficialSurface());
});

// The compiler reads all of both: seconds, and more on a busy machine.
test('our declarations under official names are compatible with the official ones', { timeout: 240_000 }, ({
  skip,
}) => {
  if (!isInstalled) skip(NOT_INSTALLED);
  const ours: ReadonlySet<string> = new Set(
    exportsOf('src/entry/compat/index.ts').map(({ name }: { name: string }) => name),
  );
  const claimed = (names: readonly string[]) => names.filter((name) => ours.has(name));
  const found = misfits({
    values: claimed([...surface.functions, ...surface.classes, ...surface.constants]),
    types: claimed([...surface.classes, ...surface.types]),
  });
  const isAccepted = ({ name, direction }: { name: string; direction: string }) =>
    acceptedMisfits.some((each) => each.direction === direction && each.names.includes(name));
  const unused = acceptedMisfits.flatMap(({ names, direction }) =>
    names.filter((name) => !found.some((each) => each.name === name && each.direction === direction)),
  );
  expect({ notAccepted: found.filter((each) => !isAccepted(each)), acceptedButFitting: unused }).toEqual({
    notAccepted: [],
    acceptedButFitting: [],
  });
});

// Assignability cannot see an optional member that is missing.
test('every member and word that the official SDK declares is declared', { timeout: 240_000 }, ({ skip }) => {
  if (!isInstalled) skip(NOT_INSTALLED);
  const missing = ENTRIES.flatMap(([wanted, offered]) => missingMembers({ wanted, offered }));
  const covers = (gap: string, path: string) => path === gap || path.startsWith(`${gap}.`);
  expect({
    notDeclared: missing.filter((path) => !acceptedGaps.some((gap) => covers(gap, path))),
    acceptedButDeclared: acceptedGaps.filter((gap) => !missing.some((path) => covers(gap, path))),
  }).toEqual({ notDeclared: [], acceptedButDeclared: [] });
});

const SETTINGS = [
  'Settings',
  'SandboxSettings',
  'SandboxNetworkConfig',
  'SandboxFilesystemConfig',
  'SandboxCredentialsConfig',
  'SandboxIgnoreViolations',
];

test('settings have no member that the official SDK does not declare', { timeout: 240_000 }, ({ skip }) => {
  if (!isInstalled) skip(NOT_INSTALLED);
  expect(missingMembers({ wanted: OURS, offered: OFFICIAL, names: SETTINGS })).toEqual([]);
});

/** Settings by line, and whether the compiler accepts them. */
const WRITTEN = [
  [true, "{ model: 'opus', keyOfTomorrow: 1 }"],
  [true, "{ permissions: { allow: ['Read'], defaultMode: 'plan', other: true } }"],
  [true, '{ sandbox: { enabled: true, network: { allowedDomains: [] }, other: 1 } }'],
  [true, "{ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true', onFailure: 'block' }] }] } }"],
  [
    true,
    "{ enabledPlugins: { a: true, b: ['1'] }, attribution: false, footerLinksRegexes: [{ type: 'x' }] }",
  ],
  [true, "{ extraKnownMarketplaces: { m: { source: { source: 'github', repo: 'a/b', ref: 'c' } } } }"],
  [true, "{ allowedMcpServers: [{ serverCommand: ['node', 'a', 'b'] }] }"],
  [false, '{ model: 3 }'],
  [false, "{ effortLevel: 'max' }"],
  [false, "{ permissions: { allow: 'Read' } }"],
  [false, "{ permissions: { defaultMode: 'always' } }"],
  [false, "{ statusLine: { type: 'command', comand: 'x' } }"],
  [false, "{ worktree: { location: 'x', sparsePath: [] } }"],
  [false, "{ hooks: { Stop: [{ hooks: [{ type: 'prompt', command: 'true' }] }] } }"],
  [false, "{ hooks: { Stop: [{ hooks: [{ type: 'agent', prompt: 'x', continueOnBlock: true }] }] } }"],
  [false, '{ sandbox: { network: { allowedDomain: [] } } }'],
  [false, "{ sandbox: { credentials: { files: [{ path: 'x' }] } } }"],
  [false, "{ extraKnownMarketplaces: { m: { source: { source: 'github', url: 'x' } } } }"],
  [false, '{ allowedMcpServers: [{ serverCommand: [] }] }'],
  [false, '{ modelPricing: { overrides: { x: { input: 1 } } } }'],
] as const;

test.for([
  ['the official SDK', OFFICIAL],
  ['ours', OURS],
] as const)(
  'the compiler accepts and refuses the same settings on %s',
  { timeout: 240_000 },
  ([, from], { skip }) => {
    if (!isInstalled) skip(NOT_INSTALLED);
    const lines = WRITTEN.map(([, text], index) => `export const s${index}: Settings = ${text};`);
    const refused = complaints(
      [`import type { Settings } from ${JSON.stringify(from)};`, ...lines].join('\n'),
    );
    const refusedLines = new Set(refused.map(({ line }) => line - 1));
    expect(WRITTEN.map(([, text], index) => [!refusedLines.has(index), text])).toEqual(WRITTEN);
  },
);

test.for([
  ['the official SDK', OFFICIAL],
  ['ours', OURS],
] as const)('a program with types all over compiles on %s', { timeout: 120_000 }, ([, from], { skip }) => {
  if (!isInstalled) skip(NOT_INSTALLED);
  const program = readFileSync('test/fixtures/compat/typed-program.ts', 'utf8');
  expect(program).toContain("'../../../src/entry/compat/index.js'");
  expect(complaints(program.replace('../../../src/entry/compat/index.js', from))).toEqual([]);
});

const FOLLOWS = `
import type { BetaMessage, BetaRawMessageStreamEvent } from '@anthropic-ai/sdk/resources/beta/messages/messages.mjs';
import type { MessageParam } from '@anthropic-ai/sdk/resources';
import type * as Official from '@anthropic-ai/claude-agent-sdk';
import type * as Ours from ${JSON.stringify(OURS)};
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export const said: Same<Ours.SDKAssistantMessage['message'], BetaMessage> = true;
export const streamed: Same<Ours.SDKPartialAssistantMessage['event'], BetaRawMessageStreamEvent> = true;
export const sent: Same<Ours.SDKUserMessage['message'], MessageParam> = true;
export const options: Same<keyof Ours.Options, keyof Official.Options> = true;
`;

test('message types are those of the user’s @anthropic-ai/sdk if it is installed', {
  timeout: 240_000,
}, ({ skip }) => {
  if (!isInstalled) skip(NOT_INSTALLED);
  expect(complaints(FOLLOWS, ['@anthropic-ai/sdk'])).toEqual([]);
  // Without it they are our own; the options have the same names anyway.
  expect(complaints(FOLLOWS).map(({ line }) => FOLLOWS.split('\n')[line]?.split(':')[0])).toEqual([
    'export const said',
    'export const streamed',
    'export const sent',
  ]);
});
