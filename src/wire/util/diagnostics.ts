import { errorText } from './error-text.js';

/** A notice that is not the caller's error. It is reported, never thrown. */
export type Diagnostic =
  | {
      readonly code: 'NOISE_LINE';
      readonly message: string;
      readonly line: string;
    }
  | {
      readonly code: 'LINE_TOO_LONG';
      readonly message: string;
      readonly length: number;
      readonly limit: number;
    }
  | {
      readonly code: 'BROKEN_FRAME';
      readonly message: string;
      readonly frame: unknown;
    }
  | {
      readonly code: 'LATE_ANSWER' | 'UNKNOWN_ANSWER' | 'DUPLICATE_REQUEST';
      readonly message: string;
      readonly id: string;
    }
  | {
      readonly code: 'UNHANDLED_REQUEST';
      readonly message: string;
      readonly id: string;
      readonly subtype: string;
    }
  | {
      readonly code: 'PROCESS_LEFT';
      readonly message: string;
      readonly pids: readonly number[];
    }
  | {
      readonly code: 'SECRET_IN_ARGUMENTS';
      readonly message: string;
      /** The flag whose value is on the command line. */
      readonly flag: string;
    }
  | {
      readonly code: 'REQUESTS_HIDDEN' | 'NO_PARTIAL_MESSAGES' | 'SCHEDULE_SKIPPED';
      readonly message: string;
    }
  | {
      readonly code: 'HOOK_WITHOUT_EFFECT';
      readonly message: string;
      readonly event: string;
    }
  | {
      readonly code: 'PATCHES_APPLIED';
      readonly message: string;
      readonly applied: readonly string[];
      /** The patches that did not fit this CLI. */
      readonly missing: readonly { readonly id: string; readonly why: string }[];
    }
  | {
      readonly code: 'MCP_SERVER_FAILED';
      readonly message: string;
      readonly server: string;
    }
  | {
      readonly code: 'MCP_TOOL_FAILED';
      readonly message: string;
      readonly server: string;
      readonly tool: string;
      readonly error: unknown;
    }
  | {
      readonly code: 'MCP_NOT_READY';
      readonly message: string;
      readonly servers: readonly string[];
    }
  | {
      readonly code: 'RECORDING_FAILED' | 'RECORDING_FULL' | 'RECORDING_GAP' | 'RECORDING_BESIDE';
      readonly message: string;
      /** The file being written, if it is one. */
      readonly path: string | undefined;
      /** The option whose writer failed, if it is the program's own. */
      readonly callback?: string | undefined;
      readonly cause?: unknown;
    }
  | {
      readonly code: 'CONVERSATION_MISSING';
      readonly message: string;
      /** The conversation to resume. */
      readonly missing: string | undefined;
      /** The new conversation. */
      readonly sessionId: string;
    }
  | {
      readonly code: 'CALLBACK_FAILED';
      readonly message: string;
      /** The callback: an option (`onPermission`, `hooks.PreToolUse`) or a listener (`on('message')`). */
      readonly callback: string;
      /** What it threw or rejected with, or an error that says how it failed otherwise. */
      readonly cause: unknown;
    }
  | {
      readonly code:
        | 'ANSWER_NOT_SENT'
        | 'LISTENER_FAILED'
        | 'LOGIN_AWAITED'
        | 'LOGIN_NOT_FOUND'
        | 'STORE_FULL'
        | 'FLEET_FEW_REPLICAS'
        | 'REMOTE_LOST';
      readonly message: string;
    }
  | {
      readonly code: 'WARM_CLI_FAILED' | 'FLEET_WAITS' | 'FLEET_RECORD_UNREAD' | 'FLEET_MESSAGE_FAILED';
      readonly message: string;
      readonly cause: unknown;
    }
  | {
      readonly code: 'SLOTS_HELD';
      readonly message: string;
      /** The open prompts that hold the slots. */
      readonly prompts: readonly { readonly conversation: string; readonly promptId: string }[];
    }
  | {
      readonly code: 'STORE_DAMAGED';
      readonly message: string;
      /** How many lines could not be read, or are damaged. */
      readonly lines: number;
    };

/** The diagnostic for a callback that threw, rejected, was late or gave no valid answer. */
export function callbackFailed(callback: string, cause: unknown): Diagnostic {
  const message = `The callback ${callback} failed: ${errorText(cause)}`;
  return { code: 'CALLBACK_FAILED', message, callback, cause };
}

/** Receives diagnostics. */
export type OnDiagnostic = (diagnostic: Diagnostic) => void;
