import { checkOptions, either, kind, kinds, type OptionSpec } from '../../../wire/util/option-checks.js';
import { checkReply } from './check-reply.js';
import type { ScriptModelOptions } from './scripted-model.js';

/**
 * Refuses options with unknown names or wrong types.
 * @throws OptionError naming the option.
 */
export function checkModelOptions(options: ScriptModelOptions): void {
  checkOptions(modelOptionSpecs, options);
  const { sideReply } = options;
  if (sideReply !== undefined && typeof sideReply !== 'function') checkReply(sideReply, 'sideReply');
}

const port = kind(
  'a whole number from 0 to 65535',
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
);
const anObject = kind('a reply', (value) => typeof value === 'object' && value !== null);

const modelOptionSpecs: Readonly<Record<keyof ScriptModelOptions, OptionSpec>> = {
  port: { kind: port, sentence: 'The port on 127.0.0.1; a free one unless given.' },
  sideReply: {
    kind: either(anObject, kinds.callback),
    sentence: 'What requests get that a CLI makes for itself.',
  },
  isSideCall: { kind: kinds.callback, sentence: 'Decides which requests a CLI makes for itself.' },
  countTokens: { kind: kinds.callback, sentence: 'The answer to a token count.' },
  onRequest: { kind: kinds.callback, sentence: 'Told each request before it is answered.' },
  maxBodyBytes: { kind: kinds.positiveCount, sentence: 'The longest body that is read.' },
  maxKeptRequests: { kind: kinds.positiveCount, sentence: 'How many requests are kept.' },
  makeId: { kind: kinds.callback, sentence: 'Makes ids of messages and tool calls.' },
  delay: { kind: kinds.callback, sentence: 'Waits between the pieces of a slow reply.' },
};
