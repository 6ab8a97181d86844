import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { jsonOf, post } from '../support/model-client.js';
import { mainBody } from '../support/model-requests.js';

test('the built program continues when nobody reads its output', async () => {
  const child = spawn(process.execPath, ['dist/command.js', 'script-model', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  child.stdout.destroy();
  for (const said of ['one', 'two', 'three']) {
    expect((await post(JSON.parse(line) as { url: string }, mainBody(said))).status).toBe(200);
  }
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'the built program serves until %s and exits with 0',
  async (signal) => {
    const child = spawn(process.execPath, ['dist/command.js', 'script-model'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    const errors: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    const answer = await jsonOf(await post({ url }, mainBody('hello')));
    expect(answer).toMatchObject({ content: [{ text: 'You said: hello' }] });
    child.kill(signal);
    expect(await exited).toEqual([0, null]);
    expect(Buffer.concat(errors).toString()).toContain('Requests: 1 main.');
  },
);
