import type { Matcher } from './matchers.js';
import { type Reply, text, toolUse } from './replies.js';
import type { ModelRequest } from './request.js';

/** Returns the reply to a request; `undefined` means that the request was unexpected. */
export type ReplyFunction = (request: ModelRequest) => Reply | undefined | Promise<Reply | undefined>;

/** One step of a script: which request it waits for, and what it answers. */
export interface ScriptStep {
  /** The request it waits for. Default: any. */
  readonly when?: Matcher;
  /** The reply of the model. */
  readonly reply: Reply | ReplyFunction;
  /** How many requests it answers; `any` includes none. Default: 1. */
  readonly times?: number | 'any';
  /** Whether it may match at any time, for sub-agents that run in parallel. Needs `when`. */
  readonly anyOrder?: boolean;
}

/** The script of a model: steps in order, or a function. A bare reply is a step that matches any request. */
export type Script = readonly (ScriptStep | Reply)[] | ReplyFunction;

/** Any entry of a script in its full form. */
export function toStep(entry: ScriptStep | Reply): ScriptStep {
  return 'reply' in entry ? entry : { reply: entry };
}

/**
 * A friendly script that never ends: it repeats the user's text, runs a command for "run <command>",
 * and reports what a tool answered.
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
