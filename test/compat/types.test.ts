import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { exportsOf } from '../../scripts/lib/declarations.mjs';
// @ts-expect-error: a script, without types
import { readOfficialSurface, SURFACE_FILE } from '../../scripts/lib/official-surface.mjs';
import { acceptedMisfits, complaints, misfits, OURS } from './harness/assignable.js';

const surface = JSON.parse(readFileSync(SURFACE_FILE, 'utf8'));
const isInstalled = existsSync('test/peers/node_modules/@anthropic-ai/claude-agent-sdk/sdk.d.ts');
const NOT_INSTALLED =
  'the official SDK is not installed in test/peers (see the npm error above, or run npm test)';

test('the names on the reference page are those of the official declarations', ({ skip }) => {
  if (!isInstalled) skip(NOT_INSTALLED);
  expect(surface).toEqual(readOfficialSurface());
});

// The compiler reads all of both: seconds, and more on a busy machine.
test('our declarations under official names are compatible with the official ones', { timeout: 120_000 }, ({
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

test.for([
  ['the official SDK', '@anthropic-ai/claude-agent-sdk'],
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
