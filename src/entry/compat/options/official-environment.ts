import type { Options, OwnParams } from '../types/option-types.js';

/** The version of the official SDK that these names and shapes come from. */
const COMPATIBLE_WITH = '0.3.326';

/** The options of a launch: those of a query, our own, and whether the CLI waits for its first prompt and for its folder. */
export type LaunchOptions = Options & OwnParams & { readonly warm?: boolean; readonly parked?: boolean };

/** The environment of the CLI. A caller's `env` replaces that of this process, which is never modified. */
export function environmentFor(
  { env, toolConfig, enableFileCheckpointing, warm = false }: LaunchOptions,
  host: NodeJS.ProcessEnv = process.env,
): Record<string, string | undefined> {
  // Both are meant only for the host: Node flags such as a loader break a CLI.
  const { NODE_OPTIONS: _flags, DEBUG: _debug, ...given } = env ?? host;
  const preview = toolConfig?.askUserQuestion?.previewFormat;
  return {
    ...given,
    // CLIs depend on it; programs that use compat were written for this value.
    CLAUDE_CODE_ENTRYPOINT: given.CLAUDE_CODE_ENTRYPOINT || 'sdk-ts',
    CLAUDE_AGENT_SDK_VERSION: COMPATIBLE_WITH,
    CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
    ...(warm ? { CLAUDE_CODE_SDK_READS_STARTUP_MARKS: '1' } : {}),
    ...(preview === undefined ? {} : { CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: preview }),
    ...(enableFileCheckpointing ? { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' } : {}),
  };
}
