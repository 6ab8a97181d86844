import type { openSession } from '../../src/sdk/open-session.js';
import type { SessionOptions } from '../../src/session/session-options.js';
import type { Script } from '../../src/testing/model/script.js';

export declare function runHost(
  open: typeof openSession,
  options: SessionOptions,
  how?: { readonly changed?: boolean },
): Promise<string[]>;
export declare const MODEL_SCRIPT: Script;
export declare const SEEN: readonly string[];
