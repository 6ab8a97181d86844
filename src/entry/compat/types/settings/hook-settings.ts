/** Hooks that the CLI runs itself. */
export type HookSettings = {
  hooks?: Record<string, { matcher?: string; hooks: HookSetting[] }[]>;
  disableAllHooks?: boolean;
  allowManagedHooksOnly?: boolean;
  allowedHttpHookUrls?: string[];
  httpHookAllowedEnvVars?: string[];
};

/** What a hook runs. */
export type HookSetting = HookTiming &
  (
    | (FailingHook & {
        type: 'command';
        command: string;
        args?: string[];
        shell?: 'bash' | 'powershell';
        async?: boolean;
        asyncRewake?: boolean;
      })
    | { type: 'prompt'; prompt: string; model?: string; continueOnBlock?: boolean }
    | { type: 'agent'; prompt: string; model?: string }
    | (FailingHook & {
        type: 'http';
        url: string;
        headers?: Record<string, string>;
        allowedEnvVars?: string[];
      })
    | { type: 'mcp_tool'; server: string; tool: string; input?: Record<string, unknown> }
  );

/** When a hook runs, and for how long. */
export type HookTiming = { if?: string; timeout?: number; statusMessage?: string; once?: boolean };

/** What happens when a hook fails. */
export type FailingHook = { onFailure?: 'continue' | 'block' };
