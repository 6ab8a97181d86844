import { isObject, objectsIn, type WireObject } from '../../../../wire/protocol/frames.js';

/** A hook defers a call: the turn ends, and the CLI that resumes the conversation makes it. */
export class DeferredCall extends Error {
  readonly call: WireObject;

  constructor(call: { readonly id: string; readonly name: string; readonly input: WireObject }) {
    super('the call was deferred');
    this.call = call;
  }
}

/** The model's last tool calls, if they have no results. */
export function unansweredCalls(messages: readonly WireObject[]): readonly WireObject[] {
  const last = messages.at(-1);
  if (!isObject(last) || last.role !== 'assistant') return [];
  return objectsIn(last.content).filter(({ type }) => type === 'tool_use');
}
