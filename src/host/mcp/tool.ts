import type { WireObject } from '../../wire/protocol/frames.js';
import { checkOptions, kind, kinds, OptionError, type OptionSpecs } from '../../wire/util/option-checks.js';
import type { ToolSession } from './link-transport.js';
import {
  type JsonSchema,
  type ReadInput,
  readToolInput,
  type ToolArguments,
  type ToolInput,
} from './tool-input.js';

/** What MCP clients may want to know of a tool; `readOnlyHint` lets the CLI run calls side by side. */
export interface ToolAnnotations {
  /** A name for people. */
  readonly title?: string | undefined;
  /** It changes nothing. */
  readonly readOnlyHint?: boolean | undefined;
  /** It may destroy something. */
  readonly destructiveHint?: boolean | undefined;
  /** Calling it twice does no more than calling it once. */
  readonly idempotentHint?: boolean | undefined;
  /** It reaches what lies outside, such as the web. */
  readonly openWorldHint?: boolean | undefined;
}

/** How far a tool has come. */
export interface ToolProgress {
  /** How much there is to do, where that is known. */
  readonly total?: number | undefined;
  /** What is being done, in words. */
  readonly message?: string | undefined;
}

/** What a tool is told beside its arguments. */
export interface ToolContext {
  /**
   * Aborted when the call is interrupted, its time is up, or the session ends. It is made when it is read, so that
   * `{ ...context }` has none.
   */
  readonly signal: AbortSignal;
  /** Tells the CLI how far the call has come; without effect where it did not ask for that. */
  readonly progress: (done: number, more?: ToolProgress) => void;
  /** The session that calls; undefined where the server is not used by one. */
  readonly session: ToolSession | undefined;
  /** The id of the model's tool call, where the CLI tells it. */
  readonly toolUseId: string | undefined;
  /** Tells this call from others of its connection. */
  readonly requestId?: string | number | undefined;
  /** All that came beside the arguments, as `_meta`. */
  readonly meta?: WireObject | undefined;
}

/** A tool, as `tool` takes it. */
export interface ToolDefinition<Input extends ToolInput = ToolInput> {
  /** Letters, digits, hyphens and underscores; the model knows it as `mcp__<server>__<name>`. */
  readonly name: string;
  /** Tells the model what the tool does and when to use it. */
  readonly description: string;
  /** What it takes: a schema (zod, valibot, arktype …), `{ schema, jsonSchema }`, or a JSON Schema. */
  readonly input?: Input | undefined;
  /** Gives back a text, MCP content, or any JSON value; what it throws the model sees as an error. */
  readonly run: (input: ToolArguments<Input>, context: ToolContext) => unknown;
  /** What clients may want to know of it. */
  readonly annotations?: ToolAnnotations | undefined;
  /** How long a call may take, in milliseconds. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Goes to the client as `_meta`. */
  readonly meta?: WireObject | undefined;
}

/** A tool that a server can offer. Make it with `tool`. */
export interface Tool extends ReadInput {
  /** Its name. */
  readonly name: string;
  /** What the model is told of it. */
  readonly description: string;
  /** Does what it is for. */
  readonly run: (input: unknown, context: ToolContext) => unknown;
  /** What clients may want to know of it. */
  readonly annotations: ToolAnnotations | undefined;
  /** How long a call may take, in milliseconds; undefined for no limit of its own. */
  readonly timeoutMs: number | undefined;
  /** What goes to the client as `_meta`. */
  readonly meta: WireObject | undefined;
}

/**
 * Makes a tool that runs in this process; `run` is typed by the input schema.
 * @throws OptionError for a wrong option or a schema that cannot be shown to the model.
 */
export function tool<Input extends ToolInput = JsonSchema>(definition: ToolDefinition<Input>): Tool {
  checkOptions(specs, definition);
  const { name, description, input, run, annotations, timeoutMs, meta } = definition;
  if (name === undefined) throw new OptionError('name', 'A tool needs the option "name".');
  if (description === undefined || run === undefined)
    throw new OptionError('run', `Tool "${name}" needs the options "description" and "run".`);
  return {
    name,
    description,
    ...readToolInput(name, input),
    // The schema has checked the arguments by the time this is called.
    run: run as Tool['run'],
    annotations,
    timeoutMs,
    meta,
  };
}

/** What the names of tools and servers are made of, so that `mcp__<server>__<tool>` is a name for the model too. */
export const nameKind = kind(
  'made of letters, digits, hyphens and underscores, 64 at most',
  (value) => typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value),
);

/** A time limit. */
export const limitKind = kind(
  'a number of milliseconds above 0',
  (value) => typeof value === 'number' && value > 0,
);

const specs: OptionSpecs = {
  name: { kind: nameKind, sentence: 'The name of the tool.' },
  description: { kind: kinds.text, sentence: 'Tells the model what the tool does.' },
  input: { kind: kind('a schema', () => true), sentence: 'The schema of the arguments.' },
  run: { kind: kinds.callback, sentence: 'Runs the tool.' },
  annotations: { kind: kinds.record, sentence: 'Hints about the tool for clients.' },
  timeoutMs: { kind: limitKind, sentence: 'How long a call may take.' },
  meta: { kind: kinds.record, sentence: 'Sent to the client as `_meta`.' },
};
