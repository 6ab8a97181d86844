import type * as z from 'zod';
import type { WireObject } from '../frames.js';
import { isObject } from '../frames.js';
import { messageName } from './catalog.js';
import { cliRequestSchemas } from './cli.schemas.js';
import { envelopeSchemas } from './envelopes.schemas.js';
import { hookSchemas } from './hooks.schemas.js';
import { hostRequestSchemas } from './host.schemas.js';
import type { FrameIssue } from './issues.schemas.js';
import { findIssues } from './issues.schemas.js';
import { hostMessageSchemas } from './messages/from-host-messages.schemas.js';
import { messageSchemas } from './messages.schemas.js';

/** Options of a check. */
export interface CheckOptions {
  /** Who sends it. */
  readonly from: 'host' | 'cli';
  /** The subtype of the request that an answer belongs to; without it only the envelope of an answer is checked. */
  readonly answerTo?: string;
}

interface RequestSchema {
  readonly params: z.ZodType;
  readonly answer: z.ZodType;
}

// Maps, because names come from the wire: an object would also find inherited keys.
const requests = {
  host: new Map<string, RequestSchema>(Object.entries(hostRequestSchemas)),
  cli: new Map<string, RequestSchema>(Object.entries(cliRequestSchemas)),
};
const messages = {
  host: new Map<string, z.ZodType>(Object.entries(hostMessageSchemas)),
  cli: new Map<string, z.ZodType>(Object.entries(messageSchemas)),
};
const hooks = new Map<string, { readonly input: z.ZodType }>(Object.entries(hookSchemas));

/**
 * Compares a decoded frame with the catalog and lists every deviation; an empty list means none. Never throws. An
 * unknown request, message or event is a single `unknown` issue, whatever it contains.
 */
export function checkFrame(raw: unknown, options: CheckOptions): FrameIssue[] {
  if (!isObject(raw)) return [{ path: '', problem: 'wrong-type' }];
  switch (raw.type) {
    case 'control_request':
      return checkRequestFrame(raw, options);
    case 'control_response':
      return checkAnswerFrame(raw, options);
    case 'control_cancel_request':
    case 'keep_alive':
      return findIssues(envelopeSchemas[raw.type], raw);
    default:
      return checkMessage(raw, options);
  }
}

/** Compares the body of a control request with the catalog; paths start at the body. Never throws. */
export function checkRequest(body: unknown, { from }: Pick<CheckOptions, 'from'>): FrameIssue[] {
  if (!isObject(body)) return [{ path: '', problem: 'wrong-type' }];
  const { subtype, ...params } = body;
  if (subtype === undefined) return [{ path: 'subtype', problem: 'missing' }];
  const schema = requests[from].get(String(subtype))?.params;
  if (schema === undefined) return [{ path: 'subtype', problem: 'unknown' }];
  const issues = findIssues(schema, params);
  return from === 'cli' && subtype === 'hook_callback'
    ? [...issues, ...checkHookInput(params.input)]
    : issues;
}

/** Writes an issue as `path: problem`. */
export function formatIssue({ path, problem }: FrameIssue): string {
  return path === '' ? problem : `${path}: ${problem}`;
}

function checkRequestFrame(raw: WireObject, options: CheckOptions): FrameIssue[] {
  const envelope = findIssues(envelopeSchemas.control_request, raw);
  if (!isObject(raw.request)) return envelope;
  const body = checkRequest(raw.request, options);
  return [...envelope, ...body.map(({ path, problem }) => ({ path: under('request', path), problem }))];
}

function checkAnswerFrame(raw: WireObject, { from, answerTo }: CheckOptions): FrameIssue[] {
  const envelope = findIssues(envelopeSchemas.control_response, raw);
  const { response } = raw;
  if (answerTo === undefined || !isObject(response) || response.subtype !== 'success') return envelope;
  const schema = requests[from === 'host' ? 'cli' : 'host'].get(answerTo)?.answer;
  if (schema === undefined) return [...envelope, { path: 'response.response', problem: 'unknown' }];
  // A plain ack has no value at all; every schema that allows it also accepts an empty object.
  return [...envelope, ...findIssues(schema, response.response ?? {}, 'response.response')];
}

function checkHookInput(input: unknown): FrameIssue[] {
  if (!isObject(input)) return [];
  const schema = hooks.get(String(input.hook_event_name))?.input;
  if (schema === undefined) return [{ path: 'input.hook_event_name', problem: 'unknown' }];
  return findIssues(schema, input, 'input');
}

function checkMessage(raw: WireObject, { from }: CheckOptions): FrameIssue[] {
  if (raw.type === undefined) return [{ path: 'type', problem: 'missing' }];
  const schema = messages[from].get(messageName(raw));
  return schema === undefined ? [{ path: 'type', problem: 'unknown' }] : findIssues(schema, raw);
}

function under(parent: string, path: string): string {
  return path === '' ? parent : `${parent}.${path}`;
}
