import { describe, test } from 'vitest';
import { agentChecks } from '../acp-checks/checks.js';
import { acpPlace } from '../support/acp-places.js';
import { programOf } from '../support/emulated-program.js';

// Older CLIs are checked for real, by test/real/acp.real.test.ts.
describe('coxswain acp on the emulated CLI', () => {
  test.each(agentChecks)('$name', async ({ run }) => {
    await using place = await acpPlace(programOf('2.1.326'));
    await run(place);
  });
});
