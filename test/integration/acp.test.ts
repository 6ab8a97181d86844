import { describe, test } from 'vitest';
import { agentChecks } from '../acp-checks/checks.js';
import { acpPlace } from '../support/acp-places.js';
import { programOf } from '../support/emulated-program.js';

describe.each(['2.0.73', '2.1.17', '2.1.325'])('coxswain acp on the emulated CLI %s', (version) => {
  test.each(agentChecks)('$name', async ({ run }) => {
    await using place = await acpPlace(programOf(version));
    await run(place);
  });
});
