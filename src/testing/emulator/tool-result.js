import { toolResult } from '../builders/user.js';
/** Why a tool ran or did not run, in the words of newer CLIs. */
export const permissionMeta = {
  allowedByHost: { permission_decision: { decision: 'accept', source: 'user_temporary' } },
  allowedByRule: {
    permission_decision: { decision: 'accept', source: 'config', reason_type: 'subcommandResults' },
  },
  deniedByHost: {
    non_execution_kind: 'permission-rule',
    permission_decision: { decision: 'reject', source: 'user_reject' },
  },
  deniedByHook: {
    non_execution_kind: 'permission-rule',
    permission_decision: { decision: 'reject', source: 'hook', reason_type: 'hook' },
  },
  interrupted: { non_execution_kind: 'user-rejected' },
};
/** Sends the result of a tool; `meta` is told by newer CLIs only. */
export async function sendOutcome(cli, toolUseId, { content, isError, structured = content }, meta) {
  const told =
    cli.traits.detailed && meta !== undefined ? { tool_result_meta: [{ id: toolUseId, ...meta }] } : {};
  const overrides = { ...told, session_id: cli.state.sessionId };
  await cli.send(toolResult(toolUseId, content, { isError, structured }, overrides));
}
/** Sends what stands for the result of a tool call that was interrupted, before or while it ran. */
export async function sendInterrupted(cli, toolUseId, wasRunning) {
  if (!cli.traits.detailed) {
    const content = wasRunning
      ? 'Exit code 137\n[Request interrupted by user for tool use]'
      : 'Tool permission request failed: AbortError';
    await sendOutcome(cli, toolUseId, { content, isError: true });
    return;
  }
  const content = 'The user does not want this tool use: it was rejected.';
  const overrides = {
    tool_use_result: 'User rejected tool use',
    tool_result_meta: [{ id: toolUseId, ...permissionMeta.interrupted }],
    session_id: cli.state.sessionId,
  };
  await cli.send(toolResult(toolUseId, content, { isError: true }, overrides));
}
//# sourceMappingURL=tool-result.js.map
