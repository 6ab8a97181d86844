import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { emulatedManager } from '../../../support/manager.js';

test('environment, keys, tokens and headers of servers are in no file of the store', async () => {
  const secret = (name: string) => `secret-${name}`;
  const launch = (from: string) => ({
    env: { ANTHROPIC_API_KEY: secret(`key-${from}`), CLAUDE_CODE_OAUTH_TOKEN: secret(`token-${from}`) },
    mcpServers: {
      docs: {
        type: 'http' as const,
        url: `http://127.0.0.1:9/${secret(`address-${from}`)}`,
        headers: { Authorization: `Bearer ${secret(`header-${from}`)}` },
      },
    },
    settings: { env: { TOKEN: secret(`settings-${from}`) } },
  });
  const { manager, store } = await emulatedManager(
    { scenarios: [[onUser(undefined, [hang()], { times: 'any' })]] },
    { defaults: { ...launch('defaults'), model: 'kept' }, optionsFor: () => launch('optionsFor') },
  );
  const talk = manager.conversation('one', { ...launch('conversation'), model: 'kept' });
  await talk.send('x').began;
  talk.schedule({ cron: '0 9 * * *', timezone: 'UTC', text: 'later' });
  const exported = JSON.stringify(await manager.export('one'));
  await manager.close();
  const files = readdirSync(store, { recursive: true, encoding: 'utf8' });
  const texts = files.map((name) => readFileSync(join(store, name), 'utf8')).join('\n');
  expect(texts).toContain('kept');
  expect(`${texts}${exported}`).not.toContain('secret-');
});
