import { join } from 'node:path';
import { expect, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { scrubbedEnvironment } from '../../src/lab/testing/real-cli/scrubbed-environment.js';
import { noBubblewrap } from '../support/bubblewrap.js';
import { BareClient } from '../support/console.js';
import { ranCox, startCoxProcess } from '../support/cox-process.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

describeRealClis(
  'coxswain console --sandbox bubblewrap',
  (cli) => {
    test('runs sessions in it and says so, and does not start in the home', async ({ skip }) => {
      if (noBubblewrap !== undefined) skip(noBubblewrap);
      await using place = await realPlace(cli);
      const { home, tmp, cwd } = place.folders;
      const env = scrubbedEnvironment({ home, tmp, modelUrl: place.model.model.url });
      const common = ['--sandbox', 'bubblewrap', '--cli', cli.path, '--state', join(home, 'state')];
      const command = ['console', ...common, '--json', '--no-open', '--port', '0'];
      const refused = await ranCox([...command, '--root', home], { env });
      expect(refused).toMatchObject({ exitCode: 1, out: '' });
      expect(refused.err).toContain(`cannot show ${home}`);

      await using started = startCoxProcess([...command, '--root', cwd], { env });
      await started.until('\n');
      const server = JSON.parse(started.out);
      expect(server.cli).toContain('in bubblewrap');
      const client = await BareClient.connect(server);
      place.model.play([
        { when: 'look', reply: toolUse('Bash', { command: `ls ${home}/state ${cwd}; echo seen` }) },
        { when: { toolResult: /seen/ }, reply: text('Done.') },
      ]);
      const opened = await client.ask('open', {
        cwd,
        program: { options: { allowedTools: ['Bash'] }, initialize: {} },
      });
      await client.ask('send', { content: 'look' }, opened);
      const summary = await client.summary(({ costUsd }) => Number(costUsd) > 0);
      expect(summary.sandbox).toBe('bubblewrap');
      const seen = place.model.model.requests.flatMap(({ toolResults }) => toolResults);
      expect(seen.at(-1)?.text).toMatch(/state': No such file|state: No such file/);
    });
  },
  ['2.1.326'],
);
