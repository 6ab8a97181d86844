import type { EndingTimes } from '../../../wire/transport/process/ending.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import type { EnvMode } from '../environment.js';

/** The permission modes of the CLIs, from asking to not asking; no CLI knows all of them. */
export const permissionModes = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'auto',
  'delegate',
  'bypassPermissions',
] as const;

/** One of the permission modes. */
export type PermissionMode = (typeof permissionModes)[number];

/** Which settings files are loaded. */
export type SettingSource = 'user' | 'project' | 'local';

/** How the model may think before it answers. */
export type ThinkingOption =
  | { readonly type: 'adaptive'; readonly display?: ThinkingDisplay | undefined }
  | {
      readonly type: 'enabled';
      readonly budgetTokens?: number | undefined;
      readonly display?: ThinkingDisplay | undefined;
    }
  | { readonly type: 'disabled' };

/** How much of the thinking is shown. */
export type ThinkingDisplay = 'summarized' | 'omitted' | 'highlights';

/** A plugin folder on this machine. */
export interface LocalPlugin {
  readonly type: 'local';
  readonly path: string;
  readonly skipMcpDiscovery?: boolean | undefined;
}

/** The program, its surroundings and its end. */
export interface ProcessOptions {
  readonly cli?: string | undefined;
  readonly executable?: string | undefined;
  readonly executableArgs?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly envMode?: EnvMode | undefined;
  readonly entrypoint?: string | undefined;
  readonly sandboxed?: boolean | undefined;
  readonly extraArgs?: Readonly<Record<string, string | null>> | undefined;
  readonly ending?: EndingTimes | undefined;
  readonly onStderr?: ((text: string) => void) | undefined;
  readonly onDiagnostic?: OnDiagnostic | undefined;
  readonly maxLineLength?: number | undefined;
  readonly maxUnsentBytes?: number | undefined;
}

/** Everything that reaches a CLI by its command line or its environment. The table is `cliOptionSpecs`. */
export interface CliOptions extends ProcessOptions {
  readonly additionalDirectories?: readonly string[] | undefined;
  readonly agent?: string | undefined;
  readonly allowDangerouslySkipPermissions?: boolean | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  readonly awaitInitialize?: boolean | undefined;
  readonly betas?: readonly string[] | undefined;
  readonly continue?: boolean | undefined;
  readonly debug?: boolean | string | undefined;
  readonly debugFile?: string | undefined;
  readonly disallowedTools?: readonly string[] | undefined;
  readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined;
  readonly enableFileCheckpointing?: boolean | undefined;
  readonly fallbackModel?: string | undefined;
  readonly forkSession?: boolean | undefined;
  readonly includeHookEvents?: boolean | undefined;
  readonly includePartialMessages?: boolean | undefined;
  readonly managedSettings?: Readonly<Record<string, unknown>> | undefined;
  readonly maxBudgetUsd?: number | undefined;
  readonly maxThinkingTokens?: number | undefined;
  readonly maxTurns?: number | undefined;
  readonly mcpServers?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly model?: string | undefined;
  readonly outputFormat?: { readonly type: 'json_schema'; readonly schema: object } | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly permissionPrompts?: 'host' | 'none' | undefined;
  readonly permissionPromptTool?: string | undefined;
  readonly persistSession?: boolean | undefined;
  readonly plugins?: readonly LocalPlugin[] | undefined;
  readonly projectConfigRoot?: string | undefined;
  readonly replayUserMessages?: boolean | undefined;
  readonly resume?: string | undefined;
  readonly resumeDropsTurn?: string | undefined;
  readonly resumeSessionAt?: string | undefined;
  readonly sandbox?: Readonly<Record<string, unknown>> | undefined;
  readonly sessionId?: string | undefined;
  readonly sessionMirror?: boolean | undefined;
  readonly settings?: string | Readonly<Record<string, unknown>> | undefined;
  readonly settingSources?: readonly SettingSource[] | undefined;
  readonly skills?: readonly string[] | 'all' | undefined;
  readonly strictMcpConfig?: boolean | undefined;
  readonly taskBudget?: { readonly total: number } | undefined;
  readonly thinking?: ThinkingOption | undefined;
  readonly toolConfig?:
    | { readonly askUserQuestion?: { readonly previewFormat?: string | undefined } | undefined }
    | undefined;
  readonly tools?: readonly string[] | { readonly type: 'preset'; readonly preset: string } | undefined;
  readonly workload?: string | undefined;
}
