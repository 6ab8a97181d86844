import { type Reply, text, toolUse } from './replies.js';
import type { ModelRequest } from './request.js';

/**
 * A friendly script that never ends: it repeats what the user says, runs a command for "run <command>",
 * and says what a tool answered.
 */
export function echoScript({ userText, toolResults }: ModelRequest): Reply {
  if (toolResults.length > 0) {
    const answers = toolResults.map((result) => (result.isError ? `(an error) ${result.text}` : result.text));
    return text(`The tool answered: ${answers.join('\n')}`);
  }
  const command = /^run (.+)$/s.exec(userText.trim())?.[1];
  if (command === undefined) return text(`You said: ${userText}`);
  return [text('I will run it.'), toolUse('Bash', { command, description: 'What the user asked for' })];
}
