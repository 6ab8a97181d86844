import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { SchemaResult, StandardSchema } from '../../src/host/mcp/schema-standard.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';

type Validate = (value: unknown) => SchemaResult<unknown> | Promise<SchemaResult<unknown>>;

async function outcomeWith(validate: Validate) {
  const schema: StandardSchema<unknown, unknown> = { '~standard': { version: 1, vendor: 'test', validate } };
  const cli = emulateCli([onUser([done('{}', { structured_output: { n: 2 } })]), onUser([done('ok')])]);
  const jsonSchema = { type: 'object', properties: { n: {} } };
  await using session = await openSession({ transport: cli.transport, outputSchema: { schema, jsonSchema } });
  const outcome = await session.send('go').outcome;
  // Whatever the schema did, the session continues.
  expect((await session.send('again').outcome).kind).toBe('output-invalid');
  return outcome;
}

test('a schema returns its parsed value', async () => {
  const outcome = await outcomeWith((value) => ({ value: { read: value } }));
  expect(outcome).toMatchObject({ kind: 'success', output: { read: { n: 2 } } });
});

test('a schema that throws is a typed failure, and breaks nothing', async () => {
  const outcome = await outcomeWith(() => {
    throw new Error('the look-up failed');
  });
  expect(outcome).toMatchObject({
    kind: 'output-invalid',
    message: expect.stringContaining('the look-up failed'),
  });
});

test.each<[string, Validate]>([
  ['fits', async (value) => ({ value })],
  ['rejects', async () => Promise.reject(new Error('no'))],
  ['never ends', () => new Promise(() => {})],
])('an asynchronous schema is a typed failure that says so, even if it %s', async (_, validate) => {
  expect(await outcomeWith(validate)).toMatchObject({
    kind: 'output-invalid',
    message: expect.stringContaining('asynchronously'),
  });
});
