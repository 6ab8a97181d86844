// Testing a program that uses the SDK: the emulated CLI plays a scenario and reports differences.
// #region test
import assert from 'node:assert/strict';
import { openSession, type Session } from 'coxswain';
import { emulateCli, onUser, say } from 'coxswain/testing';

const cli = emulateCli([onUser(/French: water/, [say('eau')]), onUser(/French: bread/, [say('pain')])]);
await using session = await openSession({ transport: cli.transport });
assert.deepEqual(await translate(session, ['water', 'bread']), ['eau', 'pain']);
cli.assertFinished();
// #endregion
console.log('The test passed.');

/** The program under test. */
async function translate(on: Session, words: readonly string[]): Promise<string[]> {
  const translated: string[] = [];
  for (const word of words) translated.push(await on.send(`In French: ${word}`).text());
  return translated;
}
