// Recordings and the testing entry point return the same union of messages as a session.
import type { CliMessage, Message, UnknownKind, UnknownSystemMessage } from 'coxswain';
import type { CliFrame, CliRequestBody, HostFrame, HostRequestBody } from 'coxswain/protocol';
import {
  act,
  askQuestion,
  assistantMessage,
  assistantText,
  type assistantToolUse,
  done,
  emulateCli,
  onUser,
  rateLimitEvent,
  readRecording,
  resultError,
  resultSuccess,
  type StepOf,
  say,
  type streamEvent,
  systemInit,
  systemMessage,
  type toolResult,
  type userMessage,
  useTool,
} from 'coxswain/testing';
import { filterTrace, loadTrace, readTrace } from 'coxswain/trace';
import { type Same, sure } from './expect.js';

for await (const { entry } of readTrace('session.trace')) {
  if (entry.kind !== 'line' || entry.frame === undefined) continue;
  if (entry.from === 'cli') {
    sure<Same<typeof entry.frame, CliFrame>>();
    const { frame } = entry;
    switch (frame.type) {
      case 'assistant':
        sure<Same<typeof frame, Message<'assistant'>>>();
        break;
      case 'control_request':
        if (frame.request.subtype === 'can_use_tool') {
          sure<Same<typeof frame.request, CliRequestBody<'can_use_tool'>>>();
          sure<Same<typeof frame.request.tool_name, string>>();
        }
        break;
      case 'control_response':
        if (frame.response.subtype === 'error') sure<Same<typeof frame.response.error, string>>();
        break;
      // @ts-expect-error no CLI sends that
      case 'asistant':
        break;
    }
  } else {
    sure<Same<typeof entry.frame, HostFrame>>();
    if (entry.frame.type === 'control_request' && entry.frame.request.subtype === 'set_model') {
      sure<Same<typeof entry.frame.request, HostRequestBody<'set_model'>>>();
    }
  }
}
for (const { entry } of await loadTrace('session.trace'))
  if (entry.kind === 'signal') sure<Same<typeof entry.signal, string>>();

for await (const note of filterTrace('session.trace')) {
  if (note.from === 'cli') sure<Same<typeof note.frame, CliFrame | undefined>>();
  else sure<Same<typeof note.frame, HostFrame | undefined>>();
}

for (const line of readRecording('')) {
  if (line.from === 'cli') sure<Same<typeof line.frame, CliFrame>>();
  else sure<Same<typeof line.frame, HostFrame>>();
}

sure<Same<ReturnType<typeof assistantText>, Message<'assistant'>>>();
sure<Same<ReturnType<typeof assistantToolUse>, Message<'assistant'>>>();
sure<Same<ReturnType<typeof streamEvent>, Message<'stream_event'>>>();
sure<Same<ReturnType<typeof systemInit>, Message<'system/init'>>>();
sure<Same<ReturnType<typeof toolResult>, Message<'user'>>>();
sure<Same<ReturnType<typeof userMessage>, Message<'user'>>>();
const messages: CliMessage[] = [assistantText('hello'), resultSuccess('done'), resultError()];
void messages;
const tooMany = resultError('error_max_turns');
sure<Same<typeof tooMany, Message<'result/error_max_turns'>>>();
const status = systemMessage('status');
sure<Same<typeof status, Message<'system/status'>>>();
const later = systemMessage('from_the_future');
sure<Same<typeof later, UnknownSystemMessage>>();

const cli = emulateCli([
  onUser((text, message) => {
    sure<Same<typeof text, string>>();
    sure<Same<typeof message.type, 'user'>>();
    return [say(text), act((each) => each.send(assistantText('and more')))];
  }),
]);
for (const frame of cli.received) sure<Same<typeof frame, HostFrame>>();
sure<Same<ReturnType<typeof say>, StepOf<'say'>>>();
sure<Same<StepOf<'say'>['do'], 'say'>>();
// @ts-expect-error there is no such step
export type NoStep = StepOf<'sey'>;

// An unknown content block is one member of the union.
for (const block of assistantText('hello').message.content) {
  switch (block.type) {
    case 'text':
      sure<Same<typeof block.text, string>>();
      break;
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
    case 'server_tool_use':
    case 'tool_result':
    case 'image':
    case 'document':
      break;
    default:
      sure<Same<typeof block, UnknownKind>>();
  }
}

// The parts of a built message are typed; undescribed keys are allowed too.
assistantText('hello', {}, { parent_tool_use_id: 'toolu_1', from_the_future: 1 });
// @ts-expect-error a text block needs its text
assistantMessage({ type: 'text', txt: 'x' });
// @ts-expect-error the id of a call is a string
assistantText('hello', {}, { parent_tool_use_id: 1 });
// @ts-expect-error the tools are names
systemInit({ tools: [{ name: 'Read' }] });
// @ts-expect-error the cost is a number
done('ok', { total_cost_usd: '1' });
// @ts-expect-error the utilization is a number
rateLimitEvent({ utilization: 'high' });
// @ts-expect-error there is no such behaviour
useTool('Bash', {}, { ask: true, prompt: { permission_suggestions: [{ type: 'addRule' }] } });
// @ts-expect-error an option has a label
askQuestion({ question: 'Go on?', options: [{ name: 'Yes' }] });
askQuestion({ question: 'Go on?', options: [{ label: 'Yes' }] });
