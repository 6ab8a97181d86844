import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import {
  DESTINATIONS,
  describeSuggestion,
  exactly,
  labelSuggestion,
  type PermissionScope,
  scopeOf,
} from '../../../wire/protocol/suggestions.js';

/** The kinds of choices. */
export type PermissionChoiceKind = 'rule' | 'directory' | 'mode' | 'other';

const KINDS: Readonly<Record<string, PermissionChoiceKind>> = {
  addRules: 'rule',
  replaceRules: 'rule',
  removeRules: 'rule',
  addDirectories: 'directory',
  removeDirectories: 'directory',
  setMode: 'mode',
};

/** Something that an allow can remember: exactly what its sentence says. */
export class PermissionChoice {
  /** What to remember: a rule, a folder or a mode. */
  readonly kind: PermissionChoiceKind;
  /** Where it is remembered; {@link for} gives the same choice for another scope. */
  readonly scope: PermissionScope;
  /** The scope that the CLI suggests. */
  readonly suggestedScope: PermissionScope;
  /** Its meaning, as a sentence. */
  readonly sentence: string;
  /** Its meaning in a few words, for a menu: `ls:* · this session`. */
  readonly label: string;
  /** The rules, folders or mode that it sets, in full. */
  readonly exact: readonly string[];
  /** Why the CLI will ask again despite this choice, if known. */
  readonly warning: string | undefined;
  /** The CLI's unchanged suggestion. */
  readonly suggestion: WireObject;

  constructor(suggestion: WireObject, scope: PermissionScope = 'session', warning?: string) {
    this.suggestion = suggestion;
    this.kind = KINDS[String(suggestion.type)] ?? 'other';
    this.scope = scope;
    this.suggestedScope = scopeOf(suggestion) ?? 'session';
    this.sentence = describeSuggestion(suggestion, scope);
    this.label = labelSuggestion(suggestion, scope);
    this.exact = exactly(suggestion);
    this.warning = warning;
  }

  /** The same choice in another scope. Wider scopes apply to this session too. */
  for(scope: PermissionScope): PermissionChoice {
    return new PermissionChoice(this.suggestion, scope, this.warning);
  }
}

/** The choices shown to the user: each for the session, and also for the scope that the CLI suggests. */
export function offeredChoices(choices: readonly PermissionChoice[]): readonly PermissionChoice[] {
  return choices.flatMap((choice) =>
    choice.suggestedScope === 'session' ? [choice] : [choice, choice.for(choice.suggestedScope)],
  );
}

/** What goes over the wire for a choice. A CLI may write a rule to a file without applying it in the same session. */
export function updatesFor({ suggestion, scope }: PermissionChoice): readonly WireObject[] {
  const inSession = { ...suggestion, destination: DESTINATIONS.session };
  return scope === 'session' ? [inSession] : [{ ...suggestion, destination: DESTINATIONS[scope] }, inSession];
}

/** The choices of a prompt. Each warning was verified on real CLIs, old and new. */
export function choicesOf(
  suggestions: readonly WireObject[],
  blockedPath: string | undefined,
  tool?: string,
): readonly PermissionChoice[] {
  const folders = suggestions.flatMap(({ directories }) => (Array.isArray(directories) ? directories : []));
  return suggestions.map((suggestion) => {
    const warning =
      blockedPath === undefined ? undefined : warningFor(suggestion, { blockedPath, folders, tool });
    return new PermissionChoice(suggestion, 'session', warning);
  });
}

/** The subject of a prompt, if the CLI names a path. */
interface Blocked {
  readonly blockedPath: string;
  readonly folders: readonly unknown[];
  readonly tool: string | undefined;
}

/** A path that a shell command would change is checked by folder and mode, not by rules. */
function warningFor(
  { type, rules }: WireObject,
  { blockedPath, folders, tool }: Blocked,
): string | undefined {
  if (type === 'addDirectories') return 'The CLI will ask again anyway, unless you switch the mode too.';
  if (type === 'setMode' && folders.length > 0)
    return `Outside its working folders the CLI will ask again, unless it may work in ${folders.join(', ')} too.`;
  const isFor = (name: string) =>
    Array.isArray(rules) && rules.some((rule) => isObject(rule) && rule.toolName === name);
  if (isFor('Bash')) return `The CLI may ask again: it checks ${blockedPath} separately from rules.`;
  return tool === 'Bash' && isFor('Read')
    ? `An old CLI asks again: for shell commands it checks ${blockedPath} separately from read rules.`
    : undefined;
}
