import type { LogEvent } from '../../entry/remote/contract.js';
import { isObject, objectsIn, type WireObject } from '../../wire/protocol/frames.js';
import { MessageFold } from '../../wire/protocol/reading/message-fold.js';
import { dollars } from '../../wire/util/numbers.js';
import { plain, plainLine } from '../../wire/util/plain.js';
import { toolCallsIn } from '../run/turn-view.js';
import type { Look } from '../terminal/look.js';

/** An event as text for people; undefined for events that only programs need. */
export function eventText(event: LogEvent, look: Look): string | undefined {
  switch (event.kind) {
    case 'line':
      return lineText(event, look);
    case 'queued':
      return `${look.cyan('>')} ${plain(shownText(event.content))} ${look.dim(`(${plainLine(event.by.name, 40)})`)}`;
    case 'unqueued':
      return look.dim('A message was cancelled, or could not be sent.');
    case 'prompt':
      return `${look.yellow('?')} ${plainLine(event.prompt.headline)}`;
    case 'prompt-settled':
      return look.dim(settledText(event));
    case 'note':
      return `${event.level === 'info' ? look.dim('-') : look.red('!')} ${plain(event.text)}`;
    case 'header':
      return look.dim('A CLI was started.');
    case 'end':
      return look.dim(
        `The CLI ended${event.end.error === undefined ? '' : `: ${plainLine(event.end.error)}`}.`,
      );
    default:
      return undefined;
  }
}

function lineText({ from, frame, earlier }: LogEvent & { kind: 'line' }, look: Look): string | undefined {
  if (frame === undefined || typeof frame.parent_tool_use_id === 'string') return undefined;
  // Messages sent here are already among the events, with their sender.
  if (frame.type === 'user' && from === 'host' && earlier === true)
    return `${look.cyan('>')} ${plain(shownText(isObject(frame.message) ? frame.message.content : undefined))}`;
  if (frame.type === 'assistant') return answerText(frame, look);
  if (frame.type === 'result') return look.dim(resultText(frame));
  return undefined;
}

function answerText(frame: WireObject, look: Look): string | undefined {
  const changes = new MessageFold().take(frame);
  const lines = [
    ...changes.map(({ item }) => (item.kind === 'text' ? plain(item.text) : '')),
    ...toolCallsIn(changes).map((call) => look.dim(`${look.dot} ${call}`)),
  ];
  return lines.filter((line) => line !== '').join('\n') || undefined;
}

function resultText({ subtype, total_cost_usd: cost }: WireObject): string {
  const how =
    subtype === 'success' ? 'The turn is over' : `The turn ended: ${plainLine(String(subtype), 60)}`;
  return typeof cost === 'number' ? `${how}, ${dollars(cost)} so far.` : `${how}.`;
}

function settledText({ how, by, answer }: LogEvent & { kind: 'prompt-settled' }): string {
  if (how !== 'answered') return how === 'expired' ? 'The prompt has expired.' : 'The prompt was withdrawn.';
  return `Answered${answer === undefined ? '' : ` "${answer.answer}"`}${by === undefined ? '' : ` by ${plainLine(by.name, 40)}`}.`;
}

function shownText(content: unknown): string {
  if (typeof content === 'string') return content;
  const texts = objectsIn(content).map(({ type, text }) => {
    if (type === 'text') return String(text);
    return type === 'image' || type === 'document' ? `[${type}]` : '';
  });
  return texts.filter((text) => text !== '').join('\n');
}
