import { findHookEvent } from '../../../wire/protocol/catalog/catalog.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { treatedAs } from '../../core/connection/cli-version.js';
import { canBlock } from '../hooks/hook-blocking.js';
import { hookEntries } from '../hooks/hooks.js';
import type { SessionOptions } from '../session-options.js';

/** @throws CoxswainError `CALLBACK_UNREACHABLE` when there are callbacks that no request can ever reach on this CLI. */
export function checkReachable(options: SessionOptions, version: string | undefined): void {
  // Of a CLI whose version is not known nothing can be said for sure.
  if (version === undefined || treatedAs(version) === '2.1.325') return;
  const { onElicitation, onDialog } = options;
  const unreachable = [
    ...(onElicitation === undefined
      ? []
      : [`onElicitation: CLI ${version} never passes on what MCP servers ask.`]),
    ...(onDialog === undefined ? [] : [`onDialog: CLI ${version} never asks for a dialog.`]),
  ];
  if (unreachable.length > 0) throw new CoxswainError('CALLBACK_UNREACHABLE', unreachable.join(' '));
}

/** What these options keep from callbacks and hooks on this CLI, without hiding everything. */
export function hiddenRequests(options: SessionOptions, version: string | undefined): readonly Diagnostic[] {
  return [...hiddenPermissions(options), ...silentHooks(options, version)];
}

function hiddenPermissions({
  onPermission,
  allowedTools = [],
  rules,
  permissionMode,
}: SessionOptions): readonly Diagnostic[] {
  if (onPermission === undefined) return [];
  const allowed = [...allowedTools, ...(rules?.allow ?? [])];
  const byMode = permissionMode === undefined ? undefined : MODES[permissionMode];
  return [
    ...(allowed.length === 0
      ? []
      : [hidden(`onPermission is not asked about ${allowed.join(', ')}: they are allowed by rule.`)]),
    ...(byMode === undefined ? [] : [hidden(`onPermission ${byMode} in mode ${permissionMode}.`)]),
  ];
}

const MODES: Readonly<Record<string, string>> = {
  bypassPermissions: 'is asked about nothing',
  dontAsk: 'is asked about nothing, what is not allowed is denied,',
  acceptEdits: 'is not asked about edits of files',
  auto: 'is asked only about what the CLI does not decide itself',
};

function hidden(message: string): Diagnostic {
  return { code: 'REQUESTS_HIDDEN', message };
}

function silentHooks({ hooks = {} }: SessionOptions, version: string | undefined): readonly Diagnostic[] {
  const probed = treatedAs(version);
  return hookEntries(hooks).flatMap(([event, matchers]) => {
    const entry = findHookEvent(event);
    const never = entry?.reach === 'offline' && !entry.seen.includes(probed);
    const useless = !canBlock(event) && matchers.some(({ onFailure }) => onFailure === 'block');
    return [
      ...(never
        ? [hookDiagnostic(event, `CLI ${version ?? 'of unknown version'} never calls hooks of ${event}.`)]
        : []),
      ...(useless ? [hookDiagnostic(event, `A failed hook of ${event} cannot block anything.`)] : []),
    ];
  });
}

function hookDiagnostic(event: string, message: string): Diagnostic {
  return { code: 'HOOK_WITHOUT_EFFECT', message, event };
}
