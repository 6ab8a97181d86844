import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkScript } from '../../../../src/lab/testing/model/check-script.js';
import { startCox } from '../../../support/cox.js';
import { jsonOf, post } from '../../../support/model-client.js';
import { mainBody } from '../../../support/model-requests.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coxswain-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function scriptFile(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** A served model, its output, and its address. */
async function serve(...args: string[]) {
  const cox = startCox(['script-model', ...args]);
  await cox.until(({ out }) => out.includes('\n'));
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(cox.output.out)?.[0] ?? '';
  const end = async () => {
    cox.interrupt();
    return cox.exitCode;
  };
  return { ...cox, url, end };
}

describe('coxswain script-model', () => {
  test('prints its address and the environment on stdout, and nothing else there', async () => {
    const { output, url, end } = await serve();
    await post({ url }, mainBody('hi'));
    expect(await end()).toBe(0);
    expect(output.out.trimEnd().split('\n')).toEqual([
      url,
      `export ANTHROPIC_BASE_URL=${url}`,
      'export ANTHROPIC_API_KEY=made-up',
      'export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1',
    ]);
  });

  test('echoes its input without a script, with and without tools', async () => {
    const { url, end } = await serve();
    for (const tools of [[{ name: 'Bash' }], []]) {
      const answer = await jsonOf(await post({ url }, mainBody('hi', { tools })));
      expect(answer).toMatchObject({ content: [{ text: 'You said: hi' }] });
    }
    await end();
  });

  test('prints each request on stderr, and a summary at the end', async () => {
    const { output, url, end } = await serve();
    await post({ url }, mainBody('hi'));
    await fetch(`${url}/elsewhere`);
    await end();
    expect(output.err).toContain('request 1: user text "hi" (main; claude-sonnet-4-5, whole, 1 tool)\n');
    expect(output.err).toContain('request 2 (other): GET /elsewhere\n');
    expect(output.err).toMatch(/Requests: 1 main, 1 other\. No unexpected requests\.\n$/);
  });

  test('--verbose prints more about a request', async () => {
    const { output, url, end } = await serve('--verbose');
    await post({ url }, mainBody('hi', { temperature: 1 }));
    await end();
    expect(output.err).toMatch(/session 11111111[\s\S]*1 message, [\s\S]*parameters \{"temperature":1\}/);
  });

  test('follows a script and exits with 0 if it ran as written', async () => {
    const path = await scriptFile(
      'good.json',
      '[{ "when": "hi", "reply": { "type": "text", "text": "yo" } }]',
    );
    const { url, end } = await serve(path);
    expect(await jsonOf(await post({ url }, mainBody('hi')))).toMatchObject({ content: [{ text: 'yo' }] });
    expect(await end()).toBe(0);
  });

  test('exits with 10 and the table if the script did not run as written', async () => {
    const path = await scriptFile(
      'late.json',
      '[{ "when": "hi", "reply": { "type": "text", "text": "yo" } }]',
    );
    const { output, end } = await serve(path);
    expect(await end()).toBe(10);
    expect(output.err).toMatch(/No requests\. The script did not run as written:\nstep[\s\S]*never came/);
  });

  test('--json prints one object per line on stdout, and nothing on stderr', async () => {
    const { output, url, end } = await serve('--json');
    await post({ url }, mainBody('hi'));
    await end();
    const events = output.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(events).toMatchObject([
      { schema: 1, event: 'listening', url, env: { ANTHROPIC_BASE_URL: url } },
      { schema: 1, event: 'request', kind: 'main', userText: 'hi', messageCount: 1 },
      { schema: 1, event: 'end', counts: { main: 1 }, finished: true },
    ]);
    expect(output.err).toBe('');
  });

  test('--port sets the port, and a taken port is reported', async () => {
    const first = await serve();
    const port = new URL(first.url).port;
    const second = startCox(['script-model', '--port', port]);
    expect(await second.exitCode).toBe(1);
    expect(second.output.err).toMatch(
      /cannot listen on port .*\[MODEL_NOT_STARTED\]\nwhat to do: choose another port/,
    );
    await first.end();
    const third = await serve('--port', port);
    expect(third.url).toBe(first.url);
    await third.end();
  });

  test.each([
    ['no JSON', 'hello', /cannot be read\. \[OPTION_INVALID\]\nwhy: .*JSON/],
    ['no script', '[{ "reply": { "type": "txt" } }]', /script\[0\]\.reply\.type must be one of/],
  ])('a file that is %s is refused before anything listens', async (_, content, message) => {
    const { output, exitCode } = startCox(['script-model', await scriptFile('bad.json', content)]);
    expect(await exitCode).toBe(2);
    expect(output.out).toBe('');
    expect(output.err).toMatch(message);
  });

  test('the script in its help is valid', async () => {
    const { output, exitCode } = startCox(['script-model', '--help']);
    expect(await exitCode).toBe(0);
    const example = /\n {2}(\[\n[\s\S]*\n {2}\])/.exec(output.out)?.[1] ?? '';
    expect(checkScript(JSON.parse(example))).toHaveLength(4);
  });

  test('prints the environment for the Windows shell there', async () => {
    const cox = startCox(['script-model'], { platform: 'win32' });
    await cox.until(({ out }) => out.includes('\n'));
    cox.interrupt();
    await cox.exitCode;
    expect(cox.output.out).toContain('\nset ANTHROPIC_API_KEY=made-up\n');
  });
});
