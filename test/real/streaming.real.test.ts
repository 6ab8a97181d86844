import { expect } from 'vitest';
import { ask } from '../../src/entry/sdk/on-demand.js';
import { text } from '../../src/lab/testing/model/replies.js';
import { eachRealCli } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

const TEXT = 'A sentence that is long enough to come in several pieces, as an answer does.';

eachRealCli('text arrives in pieces, without any option', async (cli) => {
  await using place = await realPlace(cli);
  await using session = await place.open();
  place.model.play([{ reply: text(TEXT) }, { reply: text(TEXT) }]);
  const pieces: string[] = [];
  for await (const { text: piece } of session.send('go').textDeltas()) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe(TEXT);
  const kinds = new Set<unknown>();
  for await (const { type } of session.send('again')) kinds.add(type);
  expect(kinds).toContain('assistant');
  expect(kinds).not.toContain('stream_event');
});

eachRealCli('ask() keeps the CLI from sending pieces', async (cli) => {
  await using place = await realPlace(cli);
  place.model.play([{ reply: text(TEXT) }]);
  const lines: string[] = [];
  const record = { write: (written: string) => lines.push(written) };
  expect(await ask('go', place.options({ record }))).toBe(TEXT);
  expect(lines.join('')).toContain('assistant');
  expect(lines.join('')).not.toContain('stream_event');
});
