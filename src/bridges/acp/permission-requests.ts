import type { PermissionOption, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { offeredChoices } from '../../host/session/prompts/permission-choice.js';
import type { PermissionPrompt } from '../../host/session/prompts/permission-prompt.js';
import type { PlanPrompt } from '../../host/session/prompts/plan-prompt.js';
import type { WireObject } from '../../wire/protocol/frames.js';

/** An option of a permission request, and its effect. */
export interface Choosable extends PermissionOption {
  readonly choose: () => unknown;
}

/** What was denied for the rest of a session: the same command, or any call of a tool. */
export class Refusals {
  readonly #refused = new Set<string>();

  /** Denies a call like one that was denied for the rest of the session; returns whether it did. */
  apply(prompt: PermissionPrompt): boolean {
    if (!this.#refused.has(likeness(prompt))) return false;
    prompt.deny(`The user refuses ${whatIsLike(prompt)} in this session.`);
    return true;
  }

  add(prompt: PermissionPrompt): void {
    this.#refused.add(likeness(prompt));
  }
}

/** The options for a tool call. Longer permissions are those that the CLI suggests, in its words. */
export function permissionOptions(prompt: PermissionPrompt, refusals: Refusals): readonly Choosable[] {
  const remembered = offeredChoices(prompt.choices).map(
    (choice, at): Choosable => ({
      optionId: `allow_always:${at}`,
      kind: 'allow_always',
      name: choice.warning === undefined ? choice.sentence : `${choice.sentence} ${choice.warning}`,
      choose: () => prompt.allow({ remember: choice }),
    }),
  );
  return [
    { optionId: 'allow', kind: 'allow_once', name: 'Allow', choose: () => prompt.allow() },
    ...remembered,
    {
      optionId: 'reject',
      kind: 'reject_once',
      name: 'Reject',
      choose: () => prompt.deny('The user refused this.'),
    },
    {
      optionId: 'reject_always',
      kind: 'reject_always',
      name: `Reject ${whatIsLike(prompt)} for the rest of this session`,
      choose: () => {
        refusals.add(prompt);
        prompt.deny('The user refused this for the rest of this session.');
      },
    },
  ];
}

/** The options for a plan. */
export function planOptions(prompt: PlanPrompt): readonly Choosable[] {
  return [
    {
      optionId: 'acceptEdits',
      kind: 'allow_always',
      name: 'Start, and change files without asking',
      choose: () => prompt.approve({ mode: 'acceptEdits' }),
    },
    {
      optionId: 'default',
      kind: 'allow_once',
      name: 'Start, and ask before each change',
      choose: () => prompt.approve({ mode: 'default' }),
    },
    {
      optionId: 'plan',
      kind: 'reject_once',
      name: 'Keep planning',
      choose: () => prompt.reject('The user wants you to keep planning.'),
    },
  ];
}

/** The option that a client chose; undefined if none was chosen, or one that was not offered. */
export function chosen<Option extends PermissionOption>(
  { outcome }: RequestPermissionResponse,
  options: readonly Option[],
): Option | undefined {
  return outcome.outcome === 'selected'
    ? options.find(({ optionId }) => optionId === outcome.optionId)
    : undefined;
}

function likeness({ tool, input }: PermissionPrompt): string {
  return JSON.stringify([tool, commandOf(input)]);
}

function whatIsLike({ tool, input }: PermissionPrompt): string {
  return commandOf(input) === undefined ? tool : 'this command';
}

function commandOf({ command }: WireObject): string | undefined {
  return typeof command === 'string' ? command : undefined;
}
