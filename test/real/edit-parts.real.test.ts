import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leftOutWords, partedEdit } from '../../console-ui/console/prompts/edit-parts.js';
import type { PermissionView } from '../../src/entry/remote/contract.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { BareClient } from '../support/console.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

const before = 'one\ntwo\nthree\nfour\nfive\n';
const after = 'one\n2\nthree\n4\nfive\n';
const anyResult = { toolResult: /[\s\S]*/ };

describeRealClis('a proposed edit that is allowed in part', (cli) => {
  test.each(['Edit', 'Write'])('%s writes that part only, and the turn goes on', async (tool) => {
    await using place = await realPlace(cli);
    const file = join(place.folders.cwd, 'words.txt');
    writeFileSync(file, before);
    await using session = await place.open({
      onPermission: (prompt) => {
        const parted = partedEdit(prompt, before);
        expect(parted?.parts).toHaveLength(2);
        return prompt.allow({ input: parted?.inputWith(new Set([1])) });
      },
    });
    const change = tool === 'Edit' ? { old_string: before, new_string: after } : { content: after };
    place.model.play([
      { when: 'go', reply: toolUse('Read', { file_path: file }) },
      { when: anyResult, reply: toolUse(tool, { file_path: file, ...change }) },
      { when: anyResult, reply: text('ok') },
    ]);
    expect(await session.send('go').text()).toBe('ok');
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\nthree\n4\nfive\n');
  });

  test('the model is told what was left out, in the message of the answer', async () => {
    await using place = await realPlace(cli);
    const { cwd, home } = place.folders;
    const file = join(cwd, 'words.txt');
    writeFileSync(file, before);
    await using server = await startConsole({
      roots: [cwd],
      stateFolder: join(home, 'state'),
      configDir: join(home, '.claude'),
      session: place.options(),
    });
    place.model.play([
      { when: 'go', reply: toolUse('Read', { file_path: file }) },
      { when: anyResult, reply: toolUse('Edit', { file_path: file, old_string: before, new_string: after }) },
      { reply: text('ok') },
      { reply: text('ok') },
    ]);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd });
    await client.ask('send', { content: 'go' }, { session });
    const { prompts } = await client.summary(({ prompts: open }) => Array.isArray(open) && open.length > 0);
    const [prompt] = prompts as PermissionView[];
    const parted = prompt && partedEdit(prompt, undefined);
    if (prompt === undefined || parted === undefined) throw new Error('there is no edit');
    const chosen = new Set([1]);
    const message = leftOutWords(parted, chosen, 'Keep the word.');
    const answer = { answer: 'allow', input: parted.inputWith(chosen), message } as const;
    expect(await client.ask('answer', { prompt: prompt.id, answer }, { session })).toMatchObject({
      accepted: true,
    });
    const told = () =>
      place.model.model.requests.findIndex(({ messages }) =>
        JSON.stringify(messages).includes('Keep the word.'),
      );
    await place.until(() => told() !== -1);
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\nthree\n4\nfive\n');
    // Newer CLIs add it to the result of the tool, older ones begin another turn with it.
    const [asked] = place.model.model.requests.slice(told());
    const isAtOnce = JSON.stringify(asked?.messages.slice(-2)).includes('tool_result');
    expect(isAtOnce).toBe(cli.version === '2.1.326');
  });
});
