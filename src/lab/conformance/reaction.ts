import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import type { Exit } from './subject.js';
import { type Finding, fail, pass, silent, unsupported } from './verdict.js';

/** The outcome of a request. */
export type Reaction =
  | {
      readonly kind: 'success';
      /** Undefined for a plain ack. */
      readonly value: unknown;
      readonly envelope: WireObject;
    }
  | {
      readonly kind: 'refused';
      readonly error: string;
      readonly code: string | undefined;
      readonly envelope: WireObject;
    }
  | { readonly kind: 'silent' }
  | { readonly kind: 'ended'; readonly exit: Exit };

/** Reads the answer in a `control_response`. */
export function readAnswer(frame: WireObject): Reaction {
  const envelope = isObject(frame.response) ? frame.response : {};
  if (envelope.subtype === 'success') return { kind: 'success', value: envelope.response, envelope };
  const { error, error_code: code } = envelope;
  return {
    kind: 'refused',
    error: String(error),
    code: typeof code === 'string' ? code : undefined,
    envelope,
  };
}

/** The value of a success for the records; a plain ack has none. */
export function answerValue(reaction: Reaction): unknown {
  return reaction.kind === 'success' ? (reaction.value ?? 'ack') : reaction.kind;
}

/** Whether the CLI says that it does not know the request. */
export function isUnsupported(reaction: Reaction): boolean {
  return (
    reaction.kind === 'refused' &&
    (reaction.code === 'unsupported_request' || /^Unsupported control request/.test(reaction.error))
  );
}

/** Passes for a success; any other outcome gets the matching verdict. */
export function served(reaction: Reaction): Finding {
  return reaction.kind === 'success' ? pass : unserved(reaction);
}

/** Passes for a refusal with a reason. */
export function refused(reaction: Reaction): Finding {
  if (reaction.kind === 'refused' && !isUnsupported(reaction)) return pass;
  return reaction.kind === 'success' ? fail('it was answered with success') : unserved(reaction);
}

/** The verdict on a request that was not served. */
export function unserved(reaction: Reaction): Finding {
  if (isUnsupported(reaction)) return unsupported(describe(reaction));
  return reaction.kind === 'silent' ? silent(describe(reaction)) : fail(describe(reaction));
}

/** A reaction in words. */
export function describe(reaction: Reaction): string {
  switch (reaction.kind) {
    case 'success':
      return reaction.value === undefined ? 'a plain ack' : 'success with a value';
    case 'refused':
      return `refused: ${reaction.error.slice(0, 120)}`;
    case 'silent':
      return 'no answer';
    case 'ended':
      return `the process ended: ${describeExit(reaction.exit)}`;
  }
}

/** The end of a process in words. */
export function describeExit({ code, signal }: Exit): string {
  return signal === null ? `exit code ${code}` : `by ${signal}`;
}
