import { isObject, type RequestBody, type WireObject } from '../../../../wire/protocol/frames.js';
import type { SessionState } from '../session-state.js';
import type { Traits } from './traits.js';

/** The context of a frame: the version and what its session has seen so far. */
export interface Addressee {
  readonly traits: Traits;
  readonly state: SessionState;
}

/** What is wrong with a request for this version although the catalog allows it, in words. */
export function requestMistakes(body: RequestBody, addressee: Addressee): readonly string[] {
  return Object.hasOwn(requestRules, body.subtype)
    ? (requestRules[body.subtype]?.(body, addressee) ?? [])
    : [];
}

/** What is wrong with an answer for this version although the catalog allows it, in words. */
export function answerMistakes(asked: WireObject, answer: unknown, { traits }: Addressee): readonly string[] {
  if (asked.subtype !== 'can_use_tool' || !isObject(answer) || answer.behavior !== 'allow') return [];
  const { updatedInput } = answer;
  if (updatedInput === undefined && !traits.allowsWithoutInput) {
    return ['updatedInput: missing, and this version then fails the call'];
  }
  const isQuestion = asked.tool_name === 'AskUserQuestion' && isObject(updatedInput);
  return isQuestion && !Array.isArray(updatedInput.questions)
    ? ['updatedInput.questions: missing, and newer versions then refuse the answer']
    : [];
}

type Rule = (body: RequestBody, addressee: Addressee) => readonly string[];

const requestRules: Readonly<Record<string, Rule>> = {
  initialize: ({ systemPrompt }, { traits, state }) => [
    ...(state.initialized && !traits.servesSecondHandshake
      ? ['it was sent before, or a user message was: this version refuses or dies']
      : []),
    ...(Array.isArray(systemPrompt) && !traits.takesPromptLists
      ? ['systemPrompt: a list is ignored by this version']
      : []),
  ],
  rewind_files: ({ dry_run: dryRun }, { traits }) =>
    dryRun === true && !traits.tellsRewind ? ['dry_run: this version ignores it and changes files'] : [],
  mcp_set_servers: ({ servers }, { traits }) => {
    const configs = isObject(servers) ? Object.values(servers).filter(isObject) : [];
    return !traits.setsInProcessServers && configs.some(({ type }) => type === 'sdk')
      ? ['servers: this version cannot connect in-process servers this way']
      : [];
  },
};
