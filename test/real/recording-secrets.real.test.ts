import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { drip, text } from '../../src/lab/testing/model/replies.js';
import { eachRealCli } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

const KEY = 'ghp_0123456789abcdefghijABCDEFGHIJ';

eachRealCli('a key that the model streams in pieces is not in the recording', async (cli) => {
  await using place = await realPlace(cli);
  const record = join(place.folders.tmp, 'session.trace');
  place.model.play([{ reply: drip(text(`Use ${KEY} there.`), { chunkLength: 5, delayMs: 5 }) }]);
  await using session = await place.open({ record });
  let said = '';
  for await (const piece of session.send('hello').textDeltas()) said += piece.text;
  expect(said).toBe(`Use ${KEY} there.`);
  await session.close();
  const lines = (await readFile(record, 'utf8')).trim().split('\n');
  const deltas = lines.flatMap((line) => JSON.parse(line).frame?.event?.delta?.text ?? []);
  expect(deltas.length).toBeGreaterThan(5);
  expect(deltas.join('')).toBe('Use <api-key> there.');
  expect(lines.join('')).not.toContain('0123456789');
});
