import { expect, onTestFinished, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { addresses } from '../../src/server/fleet/engine/engine.js';
import { openEngine } from '../../src/server/fleet/nats/open-engine.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { BareClient, eventIn } from '../support/console.js';
import { startFleet, startTestGateway } from '../support/fleet.js';
import { HttpClient } from '../support/http-client.js';
import { withNats } from '../support/nats/with-nats.js';

const talks = () => [onUser(undefined, [say('yes'), done('yes')], { times: 'any' })];

withNats('a fleet', () => {
  test('goes on after text on its bus that none of it has sent, and says so', async () => {
    const told: Diagnostic[] = [];
    const onDiagnostic = (each: Diagnostic) => told.push(each);
    const { server, workers, root, engine: options } = await startFleet([talks], { onDiagnostic });
    const engine = await openEngine(options);
    onTestFinished(() => engine.close());
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    client.attach(String(session));
    const id = workers[0]?.worker.id ?? '';
    const all = [addresses.owner(session), addresses.viewers(session), addresses.worker(id)];
    const texts = [
      '',
      'no JSON',
      'null',
      '{"ask":"take"}',
      '7\nno line',
      '{"session":"x","place":{}}',
      '{"by":7}',
    ];
    for (const to of [...all, addresses.anyWorker, addresses.placer])
      for (const text of texts) engine.bus.publish(to, text);
    await engine.bus.flush();
    const { uuid } = await client.ask('send', { content: 'hello' }, { session });
    await client.ever((message) => {
      const event = message.type === 'event' ? eventIn(message) : {};
      return event.kind === 'settled' && event.uuid === uuid;
    });
    expect((await client.command('open', { cwd: root })).ok).toBe(true);
    const failed = told.flatMap((each) => (each.code === 'FLEET_MESSAGE_FAILED' ? each.message : []));
    for (const to of ['ctl', 'w', 'any', 'place'])
      expect(failed.filter((message) => message.includes(`coxswain.${to}`))).toHaveLength(texts.length);
  });

  test('says which records it cannot read', async () => {
    const { engine: options } = await startFleet([talks]);
    const engine = await openEngine(options);
    onTestFinished(() => engine.close());
    await engine.records.put('damaged', '{"format":1,"summary":7}', { revision: 0 });
    const told: Diagnostic[] = [];
    const server = await startTestGateway({
      fleet: { ...options, onDiagnostic: (each) => told.push(each) },
    });
    expect(told).toMatchObject([{ code: 'FLEET_RECORD_UNREAD' }]);
    const client = await BareClient.connect(server);
    const hello = client.messages.find(({ type }) => type === 'hello');
    expect(JSON.stringify(hello?.problems)).toContain('damaged');
    await engine.records.put('newer', '{"format":2}', { revision: 0 });
    await expect.poll(() => told.length).toBe(2);
    expect(told[1]?.message).toContain('newer');
  });

  test('streams events until a message has settled that the log has, whatever the list says', async () => {
    const { server, root } = await startFleet([talks]);
    const http = new HttpClient(server);
    const opened = await http.ask('POST /conversations', { body: { cwd: root } });
    const at = `/conversations/${opened.json.id}`;
    const client = await BareClient.connect(server);
    client.attach(String(opened.json.id));
    for (let count = 1; count <= 5; count += 1) {
      const sent = await http.ask(`POST ${at}/messages`, { body: { content: 'hello' } });
      expect(sent.status).toBeLessThan(300);
      const events = await fetch(`${server.origin}/api/v1${at}/events?until=settled`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      const settled = (await events.text()).match(/"kind":"settled"/g) ?? [];
      expect(settled).toHaveLength(count);
    }
  });
});
