import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Capabilities } from '../../cli/capabilities.js';
import { type Fact, spanOf } from '../../cli/known-facts.js';
import { canBlock } from '../hooks/blocking.js';
import { hookEntries } from '../hooks/hooks.js';
import type { SessionOptions } from '../session-options.js';

/** The callbacks that not every CLI calls, each with the fact that it needs and what other CLIs do. */
const CALLBACKS = {
  onQuestion: ['asksQuestions', 'never forwards questions of the model'],
  onElicitation: ['passesOnElicitation', 'never forwards elicitations of MCP servers'],
  onDialog: ['asksForDialogs', 'never requests a dialog'],
} as const satisfies Partial<Record<keyof SessionOptions, readonly [Fact, string]>>;

/** @throws CoxswainError `CALLBACK_UNREACHABLE` when there are callbacks that no request can ever reach on this CLI. */
export function checkReachable(options: SessionOptions, capabilities: Capabilities): void {
  // Nothing is certain about a CLI of unknown version.
  if (capabilities.version === undefined) return;
  const unreachable = Object.entries(CALLBACKS).flatMap(([name, [fact, never]]) => {
    const isGiven = options[name as keyof typeof CALLBACKS] !== undefined;
    if (!isGiven || capabilities.has(fact)) return [];
    return [`${name}: ${capabilities.name} ${never}. Use ${spanOf(fact).inWords ?? 'another CLI'}.`];
  });
  if (unreachable.length > 0) throw new CoxswainError('CALLBACK_UNREACHABLE', unreachable.join(' '));
}

/** What these options hide from callbacks and hooks on this CLI, without hiding everything. */
export function hiddenRequests(
  options: SessionOptions,
  capabilities: Capabilities,
  info: WireObject = {},
): readonly Diagnostic[] {
  return [
    ...hiddenPermissions(options, info),
    ...hiddenDenials(options, capabilities),
    ...silentHooks(options, capabilities),
  ];
}

function hiddenPermissions(
  { onPermission, allowedTools = [], rules, permissionMode }: SessionOptions,
  { current_permission_mode: toldMode }: WireObject,
): readonly Diagnostic[] {
  if (onPermission === undefined) return [];
  const allowed = [...allowedTools, ...(rules?.allow ?? [])];
  const mode = permissionMode ?? String(toldMode);
  const byMode = MODES.get(mode);
  return [
    ...(allowed.length === 0
      ? []
      : [hidden(`onPermission is not called for ${allowed.join(', ')}: a rule allows them.`)]),
    ...(byMode === undefined ? [] : [hidden(`onPermission ${byMode} in mode ${mode}.`)]),
  ];
}

const MODES: ReadonlyMap<string, string> = new Map([
  ['bypassPermissions', 'is never called'],
  ['dontAsk', 'is never called; everything that is not allowed is denied,'],
  ['acceptEdits', 'is not called for file edits'],
  ['auto', 'is called only for what the CLI does not decide itself'],
]);

function hiddenDenials({ askWhenDenied }: SessionOptions, capabilities: Capabilities): readonly Diagnostic[] {
  const hasAuto = capabilities.version !== undefined && capabilities.takesFlag('--permission-mode=auto');
  if (askWhenDenied !== true || !hasAuto || capabilities.has('asksAboutDenials')) return [];
  return [
    hidden(`${capabilities.name} offers no way to allow a call that auto mode has denied; newer ones do.`),
  ];
}

function hidden(message: string): Diagnostic {
  return { code: 'REQUESTS_HIDDEN', message };
}

function silentHooks({ hooks = {} }: SessionOptions, capabilities: Capabilities): readonly Diagnostic[] {
  const isKnown = capabilities.version !== undefined;
  return hookEntries(hooks).flatMap(([event, matchers]) => {
    const never = isKnown && !capabilities.callsHook(event);
    const useless = !canBlock(event) && matchers.some(({ onFailure }) => onFailure === 'block');
    return [
      ...(never ? [hookDiagnostic(event, `${capabilities.name} never calls hooks of ${event}.`)] : []),
      ...(useless ? [hookDiagnostic(event, `A failed hook of ${event} cannot block anything.`)] : []),
    ];
  });
}

function hookDiagnostic(event: string, message: string): Diagnostic {
  return { code: 'HOOK_WITHOUT_EFFECT', message, event };
}
