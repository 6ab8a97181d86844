// Decides under which folder and case a frame is kept.

/** Returns `[folder, case]` for a captured frame. */
export function caseOf({ frame, asked }) {
  if (frame.type === 'control_response') return answerCase(frame.response, asked);
  if (frame.type === 'control_request') return requestCase(frame.request);
  if (frame.type === 'control_cancel_request') return ['control/control_cancel_request', 'cancel'];
  if (frame.type === 'keep_alive') return ['control/keep_alive', 'startup-mark'];
  return [`messages/${folderOf(frame)}`, messageCase(frame)];
}

function answerCase({ subtype, error_code }, asked) {
  if (error_code === 'unsupported_request') return ['control/control_response', 'unsupported'];
  const refused = asked.as === 'success' ? 'refused' : `refused-${asked.as}`;
  return [`answers/${asked.subtype}`, subtype === 'success' ? asked.as : refused];
}

function requestCase(request) {
  const { subtype, input = {}, message, mode } = request;
  if (subtype === 'hook_callback') return [`hooks/${input.hook_event_name}`, hookCase(input)];
  if (subtype === 'can_use_tool') return [`requests/${subtype}`, toolCase(request.tool_name)];
  if (subtype === 'mcp_message') return [`requests/${subtype}`, slug(message.method ?? 'response')];
  return [`requests/${subtype}`, slug(mode ?? 'any')];
}

function hookCase({ tool_name, source, trigger, mode, expansion_type, reason, hook_event_name }) {
  const words = { SessionEnd: reason, PreCompact: trigger, PostCompact: trigger };
  return slug(words[hook_event_name] ?? toolCase(tool_name) ?? source ?? mode ?? expansion_type ?? 'any');
}

function toolCase(name) {
  return name?.startsWith('mcp__') ? 'mcp-tool' : name;
}

function folderOf({ type, subtype, isReplay }) {
  if (type === 'user' && isReplay === true) return 'user.replay';
  return subtype === undefined ? type : `${type}.${subtype}`;
}

function messageCase(frame) {
  return slug(contentCase(frame) ?? frame.status ?? frame.state ?? frame.tag ?? frame.level ?? 'any');
}

function contentCase(frame) {
  if (frame.type === 'stream_event') return eventCase(frame.event);
  if (frame.type === 'result') return resultCase(frame);
  if (frame.type === 'rate_limit_event') return frame.rate_limit_info.status;
  if (frame.type === 'system' && frame.subtype === 'status' && frame.status === null) return 'idle';
  if (frame.type !== 'assistant' && frame.type !== 'user') return undefined;
  const { content } = frame.message;
  const kind = typeof content === 'string' ? 'string' : content[0]?.type;
  if (frame.error !== undefined) return `${kind}-error`;
  if (frame.parent_tool_use_id !== null) return `${kind}-of-subagent`;
  return frame.local_command_source === undefined ? kind : `${kind}-local-command`;
}

function eventCase(event) {
  const kind = event.content_block?.type ?? event.delta?.type;
  return kind === undefined ? event.type : `${event.type}-${kind}`;
}

function resultCase({ is_error, origin, structured_output, local_command, permission_denials }) {
  if (origin !== undefined) return 'unasked';
  if (structured_output !== undefined) return 'structured';
  if (local_command !== undefined) return 'local-command';
  if (permission_denials.length > 0) return 'denials';
  return is_error ? 'is-error' : 'plain';
}

function slug(word) {
  return String(word)
    .replaceAll(/[^\w.]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
