import type { ClientCapabilities } from '@agentclientprotocol/sdk';
import { isObject } from '../../wire/protocol/frames.js';

/** The display capabilities of a client. */
export interface ClientAbilities {
  readonly forms: boolean;
  readonly urls: boolean;
  readonly notices: boolean;
  readonly compaction: boolean;
  /** Shows the output of commands in terminals named in `_meta`. */
  readonly terminalOutput: boolean;
  /** Can run the agent in a terminal, so that a person can log in. */
  readonly terminalLogin: boolean;
}

/** Reads the capabilities that a client reports. */
export function abilitiesOf(given: ClientCapabilities | undefined): ClientAbilities {
  const { elicitation, session, auth, _meta: meta } = given ?? {};
  return {
    forms: isObject(elicitation?.form),
    urls: isObject(elicitation?.url),
    notices: isObject(session?.notices),
    compaction: isObject(session?.compaction),
    terminalOutput: isObject(meta) && meta.terminal_output === true,
    terminalLogin: auth?.terminal === true,
  };
}
