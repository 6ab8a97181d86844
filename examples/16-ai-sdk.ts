// The Claude CLI as a language model of the AI SDK: streaming, and your own tool.
import assert from 'node:assert/strict';
import { isStepCount, jsonSchema, streamText, tool } from 'ai';
import { createCoxswain } from 'coxswain/ai-sdk';
import { emulateCli, mcpTool, onUser, say } from 'coxswain/testing';

const question = 'What is the weather in Rome?';
const scenario = [onUser(question, [mcpTool('ai', 'weather', { city: 'Rome' }), say('Take a hat.')])];
const transport = () => emulateCli(scenario).transport;
const shown: string[] = [];
const show = (text: string) => shown.push(text);

// #region ai-sdk
const coxswain = createCoxswain({ transport });

const weather = tool({
  description: 'Returns the weather in a city',
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
  execute: async ({ city }) => `It is sunny in ${city}.`,
});

const result = streamText({
  model: coxswain('sonnet'),
  prompt: question,
  tools: { weather },
  stopWhen: isStepCount(5),
});
for await (const text of result.textStream) show(text);
// #endregion

assert.equal(shown.join(''), 'Take a hat.');
console.log(shown.join(''));
await coxswain.close();
