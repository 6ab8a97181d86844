import { isObject, type RequestBody, type WireObject } from '../../../../wire/protocol/frames.js';
import type { ErrorResultSubtype } from '../../builders/result.js';
import { checkReply } from '../../model/check-reply.js';
import { checkObject, checkText, wrongValue } from '../../model/checks.js';
import type { ReplyBlock } from '../../model/replies.js';
import { answer, refuse } from '../steps/answer-steps.js';
import { askHost, elicit, hook, mcpMessage, mcpTool } from '../steps/asking-steps.js';
import {
  deaf,
  flood,
  halfLine,
  hugeLine,
  ignoreSigterm,
  noise,
  raw,
  slowDrip,
  splitUtf8,
} from '../steps/fault-steps.js';
import { die, hang, wait } from '../steps/life-steps.js';
import { askModel } from '../steps/model-steps.js';
import { apiFailure, done, fail } from '../steps/result-steps.js';
import { say, send } from '../steps/speech-steps.js';
import { together } from '../steps/step.js';
import type { EmulatedQuestion, Step } from '../steps/step-types.js';
import { endTask, startTask } from '../steps/task-steps.js';
import { askQuestion, useTool } from '../steps/tool-steps.js';

/** Reads one step in JSON, such as `{"do":"say","content":"Hello"}`. */
export function readStep(value: unknown, name: string): Step {
  const { do: kind, ...fields } = checkObject(value, name, 'a step such as {"do":"say","content":"Hello"}');
  const read = typeof kind === 'string' && Object.hasOwn(readers, kind) ? readers[kind] : undefined;
  if (read === undefined) throw wrongValue(`${name}.do`, `one of ${Object.keys(readers).join(', ')}`, kind);
  return read(fields, name);
}

type Read = (fields: WireObject, name: string) => Step;

const readers: Readonly<Record<string, Read>> = {
  say: ({ content, ...options }, name) => say(readContent(content, `${name}.content`), options),
  send: ({ message }, name) => send(checkObject(message, `${name}.message`, 'a message')),
  askModel: ({ url, text }, name) => askModel({ ...textOr(url, 'url', name), ...textOr(text, 'text', name) }),
  useTool: ({ name: tool, input, ...options }, name) =>
    useTool(checkText(tool, `${name}.name`), objectOr(input, `${name}.input`), options),
  askQuestion: ({ questions, ...options }, name) =>
    askQuestion(readQuestions(questions, `${name}.questions`), options),
  together: ({ steps }, name) => together(readTools(steps, `${name}.steps`)),
  hook: ({ event, input, ...options }, name) =>
    hook(checkText(event, `${name}.event`), objectOr(input, `${name}.input`), options),
  mcpMessage: ({ server, message, ...options }, name) =>
    mcpMessage(
      checkText(server, `${name}.server`),
      checkObject(message, `${name}.message`, 'JSON-RPC'),
      options,
    ),
  mcpTool: ({ server, tool, input, ...options }, name) =>
    mcpTool(
      checkText(server, `${name}.server`),
      checkText(tool, `${name}.tool`),
      objectOr(input, `${name}.input`),
      options,
    ),
  elicit: ({ server, message, ...fields }, name) =>
    elicit(checkText(server, `${name}.server`), checkText(message, `${name}.message`), fields),
  askHost: ({ body, ...options }, name) => askHost(readBody(body, `${name}.body`), options),
  done: ({ text, overrides }, name) =>
    done(
      text === undefined ? undefined : checkText(text, `${name}.text`),
      objectOr(overrides, `${name}.overrides`),
    ),
  fail: ({ subtype = 'error_during_execution', overrides }, name) =>
    fail(readSubtype(subtype, `${name}.subtype`), objectOr(overrides, `${name}.overrides`)),
  apiFailure: (fields) => apiFailure(fields),
  startTask: ({ id, ...options }, name) => startTask(checkText(id, `${name}.id`), options),
  endTask: ({ id, ...options }, name) => endTask(checkText(id, `${name}.id`), options),
  answer: ({ value }) => answer(value),
  refuse: ({ error, errorCode }, name) =>
    refuse(
      checkText(error, `${name}.error`),
      errorCode === undefined ? undefined : checkText(errorCode, `${name}.errorCode`),
    ),
  wait: ({ ms }, name) => wait(readNumber(ms, `${name}.ms`)),
  hang: () => hang(),
  die: (status) => die(status),
  raw: ({ line }, name) => raw(checkText(line, `${name}.line`)),
  noise: ({ line = 'Debugger attached.' }, name) => noise(checkText(line, `${name}.line`)),
  halfLine: ({ text = '{"type":"assis' }, name) => halfLine(checkText(text, `${name}.text`)),
  flood: ({ count, size = 1_000 }, name) =>
    flood(readNumber(count, `${name}.count`), readNumber(size, `${name}.size`)),
  hugeLine: ({ bytes }, name) => hugeLine(readNumber(bytes, `${name}.bytes`)),
  splitUtf8: () => splitUtf8(),
  slowDrip: (drip) => slowDrip(drip),
  deaf: () => deaf(),
  ignoreSigterm: () => ignoreSigterm(),
};

const SUBTYPES: readonly ErrorResultSubtype[] = [
  'error_during_execution',
  'error_max_turns',
  'error_max_budget_usd',
  'error_max_structured_output_retries',
];

function readSubtype(value: unknown, name: string): ErrorResultSubtype {
  const found = SUBTYPES.find((subtype) => subtype === value);
  if (found === undefined) throw wrongValue(name, `one of ${SUBTYPES.join(', ')}`, value);
  return found;
}

const TOOLS = new Set(['useTool', 'mcpTool', 'askQuestion']);

function readTools(value: unknown, name: string): readonly Step[] {
  if (!Array.isArray(value) || value.length === 0) throw wrongValue(name, 'a list of steps', value);
  return value.map((each, index) => {
    const step = readStep(each, `${name}[${index}]`);
    if (!TOOLS.has(step.do))
      throw wrongValue(`${name}[${index}].do`, `one of ${[...TOOLS].join(', ')}`, step.do);
    return step;
  });
}

function readContent(value: unknown, name: string): string | readonly ReplyBlock[] {
  if (typeof value === 'string') return value;
  const blocks = Array.isArray(value) ? value : [value];
  for (const [index, block] of blocks.entries()) checkReply(block, `${name}[${index}]`);
  return blocks;
}

function readQuestions(value: unknown, name: string): string | readonly EmulatedQuestion[] {
  if (typeof value === 'string') return value;
  const list = Array.isArray(value) ? value : [value];
  // The content of a question is up to the scenario.
  return list.map((item, index) => checkObject(item, `${name}[${index}]`, 'a question') as EmulatedQuestion);
}

function readBody(value: unknown, name: string): RequestBody {
  const body = checkObject(value, name, 'the body of a request');
  return { ...body, subtype: checkText(body.subtype, `${name}.subtype`) };
}

function readNumber(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw wrongValue(name, 'a number', value);
  return value;
}

function textOr(value: unknown, key: string, name: string): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [key]: checkText(value, `${name}.${key}`) };
}

function objectOr(value: unknown, name: string): WireObject | undefined {
  return value === undefined || isObject(value) ? value : checkObject(value, name, 'an object');
}
