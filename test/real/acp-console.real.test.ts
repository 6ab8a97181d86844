import { test } from 'vitest';
import { agentChecks } from '../acp-checks/checks.js';
import { bySocket, startedConsole } from '../support/acp-consoles.js';
import { acpPlace } from '../support/acp-places.js';
import { describeRealClis } from './support/each-real-cli.js';

describeRealClis(
  'an editor on the sessions of a console',
  (cli) => {
    test.each(agentChecks)('$name', async ({ run }) => {
      await using place = await acpPlace(cli.path);
      await using served = await startedConsole(place, cli.path);
      await run({ cwd: place.cwd, connect: bySocket(served) });
    });
  },
  ['2.0.73', '2.1.326'],
);
