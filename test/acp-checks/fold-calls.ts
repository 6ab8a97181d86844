import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk';

/** Every tool call as a client finally shows it: later updates replace the fields they name. */
export function foldCalls(updates: readonly SessionUpdate[]): readonly ToolCallUpdate[] {
  const calls = new Map<string, ToolCallUpdate>();
  for (const { sessionUpdate, ...update } of updates) {
    if (sessionUpdate !== 'tool_call' && sessionUpdate !== 'tool_call_update') continue;
    const call = update as ToolCallUpdate;
    const given = Object.entries(call).filter(([, value]) => value !== undefined && value !== null);
    calls.set(call.toolCallId, { ...calls.get(call.toolCallId), ...call, ...Object.fromEntries(given) });
  }
  return [...calls.values()];
}
