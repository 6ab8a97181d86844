// A program written for the official SDK, with only its import changed; the CLI is emulated.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoxswainError } from 'coxswain';
import { createSdkMcpServer, query, tool } from 'coxswain/compat';
import { emulatorProgram, mcpTool, onUser, say, useTool } from 'coxswain/testing';
import * as z from 'zod';

const folder = await mkdtemp(join(tmpdir(), 'example-'));
const scenario = join(folder, 'scenario.json');
const look = useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md' });
const steps = [look, mcpTool('clock', 'now', { city: 'Rome' }), say('Half past six.')];
await writeFile(scenario, JSON.stringify([onUser(steps)]));
const pathToClaudeCodeExecutable = emulatorProgram('2.1.326');
const env = { PATH: process.env.PATH, HOME: folder, COXSWAIN_SCENARIO: scenario };
const asked: string[] = [];
let answer = '';

// #region program
const now = tool('now', 'Returns the local time in a city', { city: z.string() }, async ({ city }) => ({
  content: [{ type: 'text', text: `It is 18:30 in ${city}.` }],
}));

const conversation = query({
  prompt: 'Look around, then tell me the time in Rome.',
  options: {
    pathToClaudeCodeExecutable,
    env,
    mcpServers: { clock: createSdkMcpServer({ name: 'clock', tools: [now] }) },
    canUseTool: async (name, input) => {
      asked.push(name);
      return { behavior: 'allow', updatedInput: input };
    },
  },
});
for await (const message of conversation) {
  if (message.type === 'result' && message.subtype === 'success') answer = message.result;
}
// #endregion

assert.equal(answer, 'Half past six.');
console.log(answer);
assert.ok(asked.includes('Bash'));

// Errors name the actual cause.
const nowhere = query({ prompt: 'Hello?', options: { env, cwd: join(folder, 'nowhere') } });
const error: unknown = await nowhere.next().catch((thrown: unknown) => thrown);
assert.ok(error instanceof Error && error.cause instanceof CoxswainError);
assert.equal(error.cause.code, 'CWD_INVALID');
await rm(folder, { recursive: true });
