// An unmodified program for the official SDK: one question, a tool that needs permission, the answer.
import { query } from '@anthropic-ai/claude-agent-sdk';

const asked = [];
const print = (...words) => process.stdout.write(`${words.join(' ')}\n`);
const options = {
  canUseTool: async (name, input) => {
    asked.push(name);
    return { behavior: 'allow', updatedInput: input };
  },
};

async function* prompts() {
  yield { type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null, session_id: '' };
}

for await (const message of query({ prompt: prompts(), options })) {
  if (message.type === 'system' && message.subtype === 'init') print('version', message.claude_code_version);
  if (message.type === 'result') print(message.subtype, message.result, asked.join());
}
