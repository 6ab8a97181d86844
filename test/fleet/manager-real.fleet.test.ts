import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { reply, text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { KnownRealCli } from '../../src/lab/testing/real-cli/known-clis.js';
import { startWorker } from '../../src/server/fleet/worker/start-worker.js';
import { openManager } from '../../src/server/managers/open-manager.js';
import { eachRealCli } from '../real/support/each-real-cli.js';
import { realPlace } from '../real/support/real-session.js';
import { temporaryFolder } from '../support/console.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

async function parkAndContinue(cli: KnownRealCli): Promise<void> {
  const { url: nats } = await natsServer();
  const place = await realPlace(cli);
  onTestFinished(() => place[Symbol.asyncDispose]());
  place.model.play([
    { when: 'the word is heron', reply: reply([toolUse('Bash', { command: 'touch heron' })]) },
    { when: { toolResult: /.*/ }, reply: text('noted') },
    { when: 'which word', reply: text('heron') },
  ]);
  const worker = await startWorker({
    nats,
    leaseSeconds: 30,
    roots: [place.folders.cwd],
    configDir: join(place.folders.home, '.claude'),
    stateFolder: await temporaryFolder(),
    session: place.options(),
  });
  onTestFinished(() => worker.close());
  const manager = await openManager({ fleet: { nats } });
  onTestFinished(() => manager.close());
  const talk = manager.conversation('bird');
  talk.on('prompt', ({ prompt, state }) => {
    if (state === 'open' && prompt.kind === 'permission') prompt.allow();
  });
  expect(await talk.send('the word is heron').text()).toBe('noted');
  await talk.park();
  await manager.drain();
  const next = await openManager({ fleet: { nats } });
  onTestFinished(() => next.close());
  const same = next.find('bird');
  expect(await same.send('which word').text()).toBe('heron');
  expect(JSON.stringify(place.model.model.requests.at(-1))).toContain('the word is heron');
  const { messages, facts } = await next.export('bird');
  expect(JSON.stringify(messages)).toContain('the word is heron');
  expect(facts).toMatchObject({ name: 'bird', owner: 'default' });
  await next.delete('bird', { transcript: true });
  expect(next.list()).toEqual([]);
}

withNats('a manager of a fleet with real CLIs', () => {
  eachRealCli(
    'talks, answers a prompt, parks, and another program continues with the context',
    parkAndContinue,
    ['2.1.326'],
  );
});
