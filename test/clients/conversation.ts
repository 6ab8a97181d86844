// A whole conversation over HTTP, with a client that was generated from the server's own description.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './coxswain-api.js';

const { COXSWAIN_URL = '', COXSWAIN_TOKEN = '', PROJECT = '' } = process.env;
const client = createClient<paths>({
  baseUrl: `${COXSWAIN_URL}/api/v1`,
  headers: { authorization: `Bearer ${COXSWAIN_TOKEN}` },
});

const opened = await client.POST('/conversations', { body: { cwd: PROJECT, title: 'Generated' } });
assert.equal(opened.response.status, 201);
assert(opened.data !== undefined);
const path = { conversation: opened.data.id };

/** The events from a number on, until the turn has ended or a prompt needs an answer. */
async function follow(after: number) {
  const query = { after, partial: 'false', until: 'settled' } as const;
  const { data = '' } = await client.GET('/conversations/{conversation}/events', {
    params: { path, query },
    parseAs: 'text',
  });
  const lines = data.split('\n').filter((line) => line.startsWith('data: '));
  const all = lines.map((line) => JSON.parse(line.slice('data: '.length)));
  const events = all.filter(({ type }) => type === 'event');
  const results = events.map(({ event }) => event.frame).filter((frame) => frame?.type === 'result');
  return { events, last: events.at(-1)?.n ?? after, result: results.at(-1) };
}

async function send(content: string) {
  const sent = await client.POST('/conversations/{conversation}/messages', {
    params: { path, header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { content },
  });
  assert.equal(sent.response.status, 202);
}

async function onlyPrompt() {
  const { data } = await client.GET('/conversations/{conversation}/prompts', { params: { path } });
  assert.equal(data?.items.length, 1);
  const [prompt] = data.items;
  assert(prompt !== undefined);
  return prompt;
}

// A tool call that needs a permission.
await send('What is here?');
let seen = await follow(opened.data.last);
const permission = await onlyPrompt();
assert.equal(permission.kind, 'permission');
assert.equal(permission.tool, 'Bash');
const allowed = await client.POST('/conversations/{conversation}/prompts/{prompt}/answer', {
  params: { path: { ...path, prompt: permission.id } },
  body: { answer: 'allow' },
});
assert.equal(allowed.data?.accepted, true);
seen = await follow(seen.last);
assert.match(JSON.stringify(seen.events), /tool_result/);
assert.equal(seen.result?.is_error, false);

// A question.
await send('Set up a project.');
seen = await follow(seen.last);
const question = await onlyPrompt();
assert.equal(question.kind, 'question');
const [asked] = question.questions as { question: string; options: { label: string }[] }[];
assert(asked !== undefined);
await client.POST('/conversations/{conversation}/prompts/{prompt}/answer', {
  params: { path: { ...path, prompt: question.id } },
  body: { answer: 'choices', choices: { [asked.question]: asked.options[0]?.label ?? '' } },
});
seen = await follow(seen.last);
assert.equal(seen.result?.is_error, false);

// An interrupt.
await send('Count to a million.');
const stopped = await client.POST('/conversations/{conversation}/interrupt', { params: { path }, body: {} });
assert.equal(stopped.data?.interrupted, true);
seen = await follow(seen.last);

// A resume.
await client.POST('/conversations/{conversation}/close', { params: { path } });
const again = await client.POST('/conversations/{conversation}/reopen', { params: { path } });
assert.equal(again.data?.state, 'idle');
await send('Are you back?');
seen = await follow(again.data?.last ?? 0);
assert.equal(seen.result?.is_error, false);

// Forbidden requests are answered with a problem.
const refused = await client.GET('/conversations/{conversation}', {
  params: { path: { conversation: 'none' } },
});
assert.equal(refused.error?.code, 'SESSION_UNKNOWN');
process.stdout.write('a whole conversation\n');
