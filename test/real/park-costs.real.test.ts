import { expect, onTestFinished, test, vi } from 'vitest';
import { text } from '../../src/lab/testing/model/replies.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import { scrubbedEnvironment } from '../../src/lab/testing/real-cli/scrubbed-environment.js';
import { openManager } from '../../src/server/manager/open-manager.js';
import { storeFolder } from '../support/manager.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

vi.setConfig({ testTimeout: 120_000 });

describeRealClis('a parked conversation', (cli) => {
  test('is read from the prompt cache when it continues', async () => {
    await using place = await realPlace(cli);
    const model = await scriptModel(() => text('Aye.'), { promptCache: true });
    onTestFinished(() => model.close());
    const { home, tmp } = place.folders;
    const env = scrubbedEnvironment({ home, tmp, modelUrl: model.url, extra: { IS_SANDBOX: '1' } });
    const agents = { one: { description: 'One', prompt: 'one' }, two: { description: 'Two', prompt: 'two' } };
    const defaults = { ...place.options({ agents, appendSystemPrompt: 'Be brief.' }), env };
    await using manager = await openManager({ store: storeFolder(), parkBy: 'cost', defaults });
    const talk = manager.conversation('one');
    const read = async () => (await talk.send('hello').outcome).firstRequest;
    await read();
    const running = await read();
    await talk.park();
    const resumed = await read();
    const before = (running?.cacheReadInputTokens ?? 0) + (running?.cacheCreationInputTokens ?? 0);
    expect(before).toBeGreaterThan(1_000);
    expect(resumed?.cacheReadInputTokens).toBe(before);
  });
});
