import type { PermissionUpdate } from '../../../wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { isRecord } from '../../../wire/util/option-checks.js';
import { PermissionChoice, updatesFor } from './permission-choice.js';
import { Prompt, type PromptAnswer, type PromptContext } from './prompt.js';

/** Options for allowing a tool call. */
export interface AllowOptions {
  /** Runs the tool with this input instead. */
  readonly input?: WireObject | undefined;
  /** Items of `prompt.choices` to remember. */
  readonly remember?: PermissionChoice | readonly PermissionChoice[] | undefined;
  /** Your own changes to rules, folders or the mode, as on the wire. */
  readonly permissions?: readonly PermissionUpdate[] | undefined;
}

/** A prompt from a `can_use_tool` request: a permission, a question or a plan. */
export abstract class ToolPrompt extends Prompt {
  /** The tool. */
  readonly tool: string;
  /** The input of the call. */
  readonly input: WireObject;
  /** A heading, if the CLI sends one. */
  readonly title: string | undefined;
  /** The CLI's description of the call. */
  readonly description: string | undefined;

  constructor(body: RequestBody, context: PromptContext) {
    super(body, context);
    this.tool = String(body.tool_name);
    this.input = isObject(body.input) ? body.input : {};
    this.title = textIn(body, 'title');
    this.description = textIn(body, 'description');
  }

  /** @throws CoxswainError `ANSWER_INVALID` for anything unclear: the tool must not run with what was not meant. */
  protected settleAllow(options: AllowOptions): PromptAnswer {
    checkKeys(options, ['input', 'remember', 'permissions']);
    const { input } = options;
    if (input !== undefined && !isRecord(input)) throw invalid('"input" must be a plain object');
    const permissions = permissionsIn(options);
    const answer = {
      behavior: 'allow',
      // Older CLIs fail the tool without updatedInput, so the input is always sent back.
      updatedInput: input ?? this.input,
      ...(permissions === undefined ? {} : { updatedPermissions: permissions }),
      toolUseID: this.raw.tool_use_id,
    };
    const isOurs = input === undefined && permissions === undefined;
    return this.settle(answer, isOurs ? 'ours' : 'of the caller');
  }

  protected override refusal(reason: string): WireObject {
    return { behavior: 'deny', message: String(reason), toolUseID: this.raw.tool_use_id };
  }
}

/** What to remember, in wire format; undefined for nothing. */
function permissionsIn({ remember = [], permissions = [] }: AllowOptions): readonly unknown[] | undefined {
  if (!Array.isArray(permissions)) throw invalid('"permissions" must be a list');
  const choices: readonly unknown[] = Array.isArray(remember) ? remember : [remember];
  const remembered = choices.flatMap((choice) => {
    if (choice instanceof PermissionChoice) return updatesFor(choice);
    throw invalid('"remember" takes items of `prompt.choices`');
  });
  const all = [...permissions, ...remembered];
  return all.length === 0 ? undefined : all;
}

/** Refuses unknown options: a misspelt one would be ignored, and the tool would run with its original input. */
export function checkKeys(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined) throw invalid(`there is no "${unknown}" here, only ${known.join(', ')}`);
}

function invalid(what: string): CoxswainError {
  return new CoxswainError('ANSWER_INVALID', `This answer was not sent: ${what}.`);
}

/** A key of a request, if it is a string. */
export function textIn(body: RequestBody, key: string): string | undefined {
  const value = body[key];
  return typeof value === 'string' ? value : undefined;
}
