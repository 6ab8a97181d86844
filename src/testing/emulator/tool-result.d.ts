import type { WireObject } from '../../protocol/frames.js';
import type { Cli } from './cli.js';
/** What a tool gave back, or what is said in its place. */
export interface ToolOutcome {
  readonly content: unknown;
  /** Undefined where the CLI says nothing about it. */
  readonly isError: boolean | undefined;
  /** The result as data, where it is more than the content. */
  readonly structured?: unknown;
}
/** Why a tool ran or did not run, in the words of newer CLIs. */
export declare const permissionMeta: {
  readonly allowedByHost: {
    readonly permission_decision: {
      readonly decision: 'accept';
      readonly source: 'user_temporary';
    };
  };
  readonly allowedByRule: {
    readonly permission_decision: {
      readonly decision: 'accept';
      readonly source: 'config';
      readonly reason_type: 'subcommandResults';
    };
  };
  readonly deniedByHost: {
    readonly non_execution_kind: 'permission-rule';
    readonly permission_decision: {
      readonly decision: 'reject';
      readonly source: 'user_reject';
    };
  };
  readonly deniedByHook: {
    readonly non_execution_kind: 'permission-rule';
    readonly permission_decision: {
      readonly decision: 'reject';
      readonly source: 'hook';
      readonly reason_type: 'hook';
    };
  };
  readonly interrupted: {
    readonly non_execution_kind: 'user-rejected';
  };
};
/** Sends the result of a tool; `meta` is told by newer CLIs only. */
export declare function sendOutcome(
  cli: Cli,
  toolUseId: string,
  { content, isError, structured }: ToolOutcome,
  meta?: WireObject,
): Promise<void>;
/** Sends what stands for the result of a tool call that was interrupted, before or while it ran. */
export declare function sendInterrupted(cli: Cli, toolUseId: string, wasRunning: boolean): Promise<void>;
//# sourceMappingURL=tool-result.d.ts.map
