import { test } from 'vitest';
import { agentChecks } from '../acp-checks/checks.js';
import { acpPlace } from '../support/acp-places.js';
import { describeRealClis } from './support/each-real-cli.js';

describeRealClis('coxswain acp', (cli) => {
  test.each(agentChecks)('$name', async ({ run }) => {
    await using place = await acpPlace(cli.path);
    await run(place);
  });
});
