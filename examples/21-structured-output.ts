// Structured output: a schema in, a typed value out.
import assert from 'node:assert/strict';
import { openSession } from 'coxswain';
import { done, emulateCli, onUser } from 'coxswain/testing';
import { z } from 'zod';

const output = { city: 'Rome', people: 2_750_000 };
const cli = emulateCli([
  onUser([done('{}', { structured_output: output })]),
  onUser([done('{}', { structured_output: { city: 5 } })]),
]);
const transport = () => cli.transport;

// #region output
const City = z.object({ city: z.string(), people: z.number() });

await using session = await openSession({ transport, outputSchema: City });
const outcome = await session.send('Name a big city in Italy').outcome;
if (outcome.kind === 'success') console.log(outcome.output.city, outcome.output.people);
// #endregion

assert(outcome.kind === 'success');
assert.deepEqual(outcome.output, output);
assert.equal((await session.send('Another one').outcome).kind, 'output-invalid');
