// The type of an output is that of its schema.
import { openSession } from 'coxswain';
import * as z from 'zod';
import { type Same, sure } from './expect.js';

await using typed = await openSession({ outputSchema: z.object({ n: z.number() }) });
const outcome = await typed.send('count').outcome;
if (outcome.kind === 'success') sure<Same<typeof outcome.output, { n: number }>>();

const changed = await openSession({ outputSchema: z.object({ n: z.string().transform(Number) }) });
for await (const turn of changed.unasked) {
  const each = await turn.outcome;
  if (each.kind === 'success') sure<Same<typeof each.output.n, number>>();
}

const pair = { schema: z.object({ n: z.number() }), jsonSchema: { type: 'object' } };
const paired = await openSession({ outputSchema: pair });
const pairedOutcome = await paired.send('count').outcome;
if (pairedOutcome.kind === 'success') sure<Same<typeof pairedOutcome.output.n, number>>();

const plain = await openSession({ outputSchema: { type: 'object', properties: { n: { type: 'number' } } } });
const plainOutcome = await plain.send('count').outcome;
if (plainOutcome.kind === 'success') sure<Same<typeof plainOutcome.output, unknown>>();

const none = await openSession({ model: 'sonnet' });
const noneOutcome = await none.send('count').outcome;
if (noneOutcome.kind === 'success') sure<Same<typeof noneOutcome.output, unknown>>();
