import { expect, onTestFinished, test } from 'vitest';
import { text } from '../../src/lab/testing/model/replies.js';
import { scrubbedEnvironment } from '../../src/lab/testing/real-cli/scrubbed-environment.js';
import { startGateway } from '../../src/server/fleet/gateway/start-gateway.js';
import { describeRealClis } from '../real/support/each-real-cli.js';
import { realPlace } from '../real/support/real-session.js';
import { noBubblewrap } from '../support/bubblewrap.js';
import { BareClient, temporaryFolder } from '../support/console.js';
import { startCoxProcess } from '../support/cox-process.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

withNats('coxswain worker --sandbox bubblewrap', () => {
  describeRealClis(
    'with a real CLI',
    (cli) => {
      test('runs sessions in it; a gateway shows it and passes no other on', async ({ skip }) => {
        if (noBubblewrap !== undefined) skip(noBubblewrap);
        await using place = await realPlace(cli);
        const { home, tmp, cwd } = place.folders;
        const { url: nats } = await natsServer();
        const env = scrubbedEnvironment({ home, tmp, modelUrl: place.model.model.url });
        const where = ['--nats', nats, '--root', cwd, '--cli', cli.path, '--state', `${home}/state`];
        await using worker = startCoxProcess(['worker', '--sandbox', 'bubblewrap', '--json', ...where], {
          env,
        });
        await worker.until('\n');
        const gateway = await startGateway({ fleet: { nats }, stateFolder: await temporaryFolder() });
        onTestFinished(() => gateway.close());
        const client = await BareClient.connect(gateway);
        place.model.play([{ when: /./, reply: text('Hello.'), times: 'any' }]);
        const opened = await client.ask('open', { cwd });
        await client.ask('send', { content: 'hello' }, opened);
        const summary = await client.summary(({ costUsd }) => Number(costUsd) > 0);
        expect(summary.sandbox).toBe('bubblewrap');
        const program = { options: { spawner: { name: 'process' } }, initialize: {} };
        const refused = await client.command('open', { cwd, program });
        expect(refused).toMatchObject({ ok: false, error: { code: 'OPTION_INVALID' } });
      });
    },
    ['2.1.326'],
  );
});
