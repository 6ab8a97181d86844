import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { capabilitiesOf } from '../../src/host/cli/capabilities.js';
import { agentChecks } from '../acp-checks/checks.js';
import { foldCalls } from '../acp-checks/fold-calls.js';
import { acpPlace, coxswainAcp } from '../support/acp-places.js';
import { describeRealClis } from './support/each-real-cli.js';

describeRealClis('coxswain acp', (cli) => {
  test('a client’s server is called, and its questions appear in the client if the CLI forwards them', async () => {
    await using place = await acpPlace(cli.path, coxswainAcp('--allow', 'mcp__client__ask'));
    await using agent = place.connect({
      elicitation: () => ({ action: 'accept', content: { name: 'Ada' } }),
    });
    await agent.initialize({ elicitation: { form: {} } });
    const args = [resolve('test/fixtures/mcp/asks.mjs')];
    const { sessionId } = await agent.agent.request('session/new', {
      cwd: place.cwd,
      mcpServers: [{ name: 'client', command: process.execPath, args, env: [] }],
    });
    // These CLIs wait for their servers, at the start or before the call.
    expect(await agent.prompt(sessionId, 'call the server')).toBe('end_turn');
    expect(foldCalls(agent.updates)[0]?.title).toBe('ask (client)');
    const passesOn = capabilitiesOf({ version: cli.version }).has('passesOnElicitation');
    expect(agent.forms).toHaveLength(passesOn ? 1 : 0);
    if (passesOn) expect(JSON.stringify(agent.of('tool_call_update'))).toContain('Ada');
  });

  test.each(agentChecks)('$name', async ({ run }) => {
    await using place = await acpPlace(cli.path);
    await run(place);
  });
});
