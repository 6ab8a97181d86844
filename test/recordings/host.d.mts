import type { openSession } from '../../src/entry/sdk/open-session.ts';
import type { SessionOptions } from '../../src/host/session/session-options.ts';
import type { Script } from '../../src/lab/testing/model/script.ts';

export declare function runHost(
  open: typeof openSession,
  options: SessionOptions,
  how?: { readonly changed?: boolean },
): Promise<string[]>;
export declare const MODEL_SCRIPT: Script;
export declare const SEEN: readonly string[];
