// A program written with the official SDK: one conversation on the CLI whose path is its argument. Prints what
// it saw, one JSON list per line.
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';

const clock = createSdkMcpServer({
  name: 'clock',
  version: '1.0.0',
  tools: [tool('time', 'Tells the time of a city', { city: z.string() }, tellTime)],
});

let goOn = () => {};
const conversation = query({
  prompt: prompts(),
  options: {
    pathToClaudeCodeExecutable: process.argv[2],
    env: process.env,
    canUseTool: decide,
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [watchTool] }] },
    mcpServers: { clock },
    stderr: (text) => process.stderr.write(text),
  },
});

try {
  for await (const message of conversation) await take(message);
  tell('end');
} catch (error) {
  tell('failed', error.message);
}

async function* prompts() {
  for (const text of ['look around', 'take your time', 'goodbye']) {
    const answered = new Promise((resolve) => {
      goOn = resolve;
    });
    yield { type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null };
    await answered;
    if (text === 'look around') await conversation.setModel('haiku').then(() => tell('model set'));
  }
}

async function take(message) {
  if (message.type === 'system' && message.subtype === 'init')
    tell('init', message.claude_code_version, message.model);
  if (message.type === 'assistant') await listen(message.message.content);
  if (message.type !== 'result') return;
  tell('result', message.subtype, message.result);
  goOn();
}

async function listen(blocks) {
  for (const { type, text } of blocks) if (type === 'text') tell('text', text);
  if (!blocks.some(({ text }) => text === 'This will take long.')) return;
  await conversation.interrupt();
  tell('interrupted');
}

async function decide(name, input) {
  tell('permission', name);
  if (name === 'AskUserQuestion') {
    const answers = Object.fromEntries(input.questions.map(({ question }) => [question, 'Green']));
    return { behavior: 'allow', updatedInput: { ...input, answers } };
  }
  if (name === 'Write') return { behavior: 'deny', message: 'Read only.' };
  return { behavior: 'allow', updatedInput: { ...input, command: 'ls -a' } };
}

async function watchTool({ hook_event_name: event, tool_name: name }) {
  tell('hook', event, name);
  return { continue: true };
}

async function tellTime({ city }) {
  tell('tool', city);
  return { content: [{ type: 'text', text: `Noon in ${city}.` }] };
}

function tell(...what) {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
