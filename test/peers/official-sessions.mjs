// Calls functions of the official SDK on the sessions in CLAUDE_CONFIG_DIR. Its argument is a file with a JSON list
// of calls, [name, ...arguments]; it prints the list of results, or `{ error }` for calls that failed.
import { readFileSync } from 'node:fs';

const sdk = { ...(await import('@anthropic-ai/claude-agent-sdk')) };

const results = [];
for (const [name, ...args] of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  results.push(await call(name, args));
}
process.stdout.write(JSON.stringify(results));

async function call(name, args) {
  // JSON has no undefined, and null has another meaning for some of them.
  if (name === 'foldSessionSummary') args[0] ??= undefined;
  try {
    return { value: await sdk[name](...args) };
  } catch (error) {
    return { error: error.message };
  }
}
