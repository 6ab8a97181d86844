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

/** Hints about a tool for MCP clients; `readOnlyHint` lets the CLI run calls in parallel. */
export interface ToolAnnotations {
  /** A display name. */
  readonly title?: string | undefined;
  /** It changes nothing. */
  readonly readOnlyHint?: boolean | undefined;
  /** It may destroy something. */
  readonly destructiveHint?: boolean | undefined;
  /** Calling it twice has no additional effect. */
  readonly idempotentHint?: boolean | undefined;
  /** It reaches external systems, such as the web. */
  readonly openWorldHint?: boolean | undefined;
}

/** The progress of a tool call. */
export interface ToolProgress {
  /** The total amount, if known. */
  readonly total?: number | undefined;
  /** A description of the current step. */
  readonly message?: string | undefined;
}

/** The context of a tool call. */
export interface ToolContext {
  /**
   * Aborts when the call is interrupted, times out, or the session ends. Created when it is read, so `{ ...context }`
   * does not copy it.
   */
  readonly signal: AbortSignal;
  /** Reports progress to the CLI; has no effect if the CLI did not ask for it. */
  readonly progress: (done: number, more?: ToolProgress) => void;
  /** The calling session; undefined if the server is used without one. */
  readonly session: ToolSession | undefined;
  /** The id of the model's tool call, if the CLI reports it. */
  readonly toolUseId: string | undefined;
  /** Identifies the call within its connection. */
  readonly requestId?: string | number | undefined;
  /** The `_meta` of the call. */
  readonly meta?: WireObject | undefined;
}

/** The definition of a tool, for `tool`. */
export interface ToolDefinition<Input extends ToolInput = ToolInput> {
  /** Letters, digits, hyphens and underscores; the model sees it as `mcp__<server>__<name>`. */
  readonly name: string;
  /** Tells the model what the tool does and when to use it. */
  readonly description: string;
  /** The input schema: a schema (zod, valibot, arktype …), `{ schema, jsonSchema }`, or a JSON Schema. */
  readonly input?: Input | undefined;
  /** Runs the tool. Returns a string, MCP content, or any JSON value; if it throws, the model gets an error. */
  readonly run: (input: ToolArguments<Input>, context: ToolContext) => unknown;
  /** Hints for clients. */
  readonly annotations?: ToolAnnotations | undefined;
  /** How long a call may take, in milliseconds. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Sent to the client as `_meta`. */
  readonly meta?: WireObject | undefined;
}

/** A tool for an MCP server. Create it with `tool`. */
export interface Tool extends ReadInput {
  /** Its name. */
  readonly name: string;
  /** The description that the model sees. */
  readonly description: string;
  /** Runs the tool. */
  readonly run: (input: unknown, context: ToolContext) => unknown;
  /** Hints for clients. */
  readonly annotations: ToolAnnotations | undefined;
  /** How long a call may take, in milliseconds; undefined for the server's limit. */
  readonly timeoutMs: number | undefined;
  /** Sent to the client as `_meta`. */
  readonly meta: WireObject | undefined;
}

/**
 * Creates a tool that runs in this process; the input schema types `run`. @throws OptionError for a wrong option or a
 * schema that cannot be shown to the model.
 */
export function tool<Input extends ToolInput = JsonSchema>(definition: ToolDefinition<Input>): Tool {
  if (typeof definition === 'string')
    throw new OptionError(
      'definition',
      'tool() takes one object here: tool({ name, description, input, run }). The form tool(name, …) is in coxswain/compat.',
    );
  checkOptions(specs, definition);
  const { name, description, input, run, annotations, timeoutMs, meta } = definition;
  if (name === undefined) throw new OptionError('name', 'A tool needs the option "name".');
  if (description === undefined || run === undefined)
    throw new OptionError('run', `Tool "${name}" needs the options "description" and "run".`);
  return {
    name,
    description,
    ...readToolInput(name, input),
    // The schema has validated the arguments by the time this is called.
    run: run as Tool['run'],
    annotations,
    timeoutMs,
    meta,
  };
}

/** The characters of tool and server names, so that `mcp__<server>__<tool>` is a valid name for the model. */
export const nameKind = kind(
  'a text of up to 64 letters, digits, hyphens and underscores',
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
