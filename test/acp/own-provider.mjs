// A program of the AI SDK on coxswain/ai-sdk: a stream, its own tool, an object, an approval, a second turn, an abort.
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import { z } from 'zod';

const [provider, cli, cwd] = process.argv.slice(2);
const { createCoxswain } = await import(provider);
const coxswain = createCoxswain({ cli, cwd, settingSources: [], approvals: 'caller' });
const model = coxswain('sonnet');
const seen = [];

const streamed = streamText({ model, prompt: 'say hello' });
let text = '';
for await (const part of streamed.textStream) text += part;
seen.push(`streamed ${text}`, await streamed.finishReason);
const messages = [{ role: 'user', content: 'say hello' }, ...(await streamed.response).messages];
const again = await generateText({ model, messages: [...messages, { role: 'user', content: 'and again' }] });
seen.push(`went on ${again.text}`);

const tools = {
  time: tool({
    description: 'Tells the time',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => {
      seen.push(`time ${city}`);
      return `Noon in ${city}.`;
    },
  }),
};
const told = await generateText({ model, tools, prompt: 'what time is it', stopWhen: isStepCount(5) });
seen.push(`with a tool ${told.text}`, told.steps.length);

const schema = z.object({ colour: z.string() });
const made = await generateText({ model, prompt: 'a colour', output: Output.object({ schema }) });
seen.push(made.output);

const ask = { role: 'user', content: 'make a folder' };
const asked = await generateText({ model, messages: [ask] });
const request = asked.content.find(({ type }) => type === 'tool-approval-request');
seen.push(`asked for ${request?.toolCall.toolName}`);
const { approvalId } = request ?? {};
const answer = { type: 'tool-approval-response', approvalId, approved: true, providerExecuted: true };
const allowed = await generateText({
  model,
  messages: [ask, ...asked.response.messages, { role: 'tool', content: [answer] }],
});
seen.push(`approved ${allowed.text}`);

const abortSignal = AbortSignal.timeout(300);
const ended = await generateText({ model, prompt: 'wait forever', abortSignal, maxRetries: 0 }).catch(
  (error) => error.name,
);
seen.push(ended);
await coxswain.close();
process.stdout.write(JSON.stringify(seen));
