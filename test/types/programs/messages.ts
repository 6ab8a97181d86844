// Messages are one union that `type` and `subtype` narrow, wherever a program gets them.
import {
  type CliMessage,
  type ContentBlock,
  type Message,
  openSession,
  type ResultMessage,
  type UnknownName,
} from 'coxswain';
import { type Same, sure } from './expect.js';

await using session = await openSession({
  onMessage: (message) => sure<Same<typeof message, CliMessage>>(),
});

const turn = session.send('hello');
for await (const message of turn) {
  sure<Same<typeof message, CliMessage>>();
  switch (message.type) {
    case 'assistant': {
      sure<Same<typeof message, Message<'assistant'>>>();
      const { content } = message.message;
      sure<Same<typeof content, ContentBlock[]>>();
      for (const block of content) {
        if (block.type === 'text') sure<Same<typeof block.text, string>>();
        if (block.type === 'tool_use') sure<Same<typeof block.name, string>>();
        // @ts-expect-error a text block has no name
        if (block.type === 'text') block.name.length;
      }
      break;
    }
    case 'stream_event':
      if (message.event.type === 'content_block_delta' && message.event.delta.type === 'text_delta') {
        sure<Same<typeof message.event.delta.text, string>>();
      }
      break;
    case 'system':
      switch (message.subtype) {
        case 'init':
          sure<Same<typeof message.cwd, string>>();
          sure<Same<typeof message.tools, string[]>>();
          break;
        case 'api_retry':
          sure<Same<typeof message.retry_delay_ms, number>>();
          break;
      }
      break;
    case 'result':
      sure<Same<typeof message, ResultMessage>>();
      sure<Same<typeof message.total_cost_usd, number>>();
      if (message.subtype === 'success') sure<Same<typeof message.result, string>>();
      if (message.subtype === 'error_max_turns') sure<Same<typeof message.errors, string[]>>();
      break;
    // @ts-expect-error the CLI sends no such message
    case 'asistant':
      break;
    default: {
      // Everything not listed above: known messages, and unknown ones.
      const anyType: string = message.type;
      anyType.length;
    }
  }
  // Undescribed keys stay accessible.
  const { from_the_future } = message;
  sure<Same<typeof from_the_future, unknown>>();
}

// An unknown message is one member of the union, with its type as a string.
declare const message: CliMessage;
sure<UnknownName extends string ? true : false>();
sure<Same<Extract<CliMessage['type'], 'assistant'>, 'assistant'>>();
// @ts-expect-error a plain string is not a known type, and no unknown one either
const wrong: CliMessage['type'] = 'asistant' as string;
void wrong;
void message;

for await (const each of session.messages()) sure<Same<typeof each, CliMessage>>();
session.on('message', (each) => sure<Same<typeof each, CliMessage>>());

const outcome = await turn.outcome;
sure<Same<typeof outcome.result, ResultMessage | undefined>>();
if (outcome.kind === 'rate-limited') sure<Same<NonNullable<typeof outcome.limit>['status'], string>>();

const info = await session.ready;
sure<Same<(typeof info.models)[number]['value'], string>>();
sure<Same<typeof session.info.models, typeof info.models | undefined>>();

const usage = await session.control('get_context_usage');
sure<Same<typeof usage.totalTokens, number>>();
const later = await session.control('from_the_future', { any: 1 });
sure<Same<(typeof later)['x'], unknown>>();
