import { homedir, tmpdir, userInfo } from 'node:os';
import { pathSpellings } from '../../files/path-spellings.js';
import { literalRule, pathRules, secretVariables, userRules } from './literals.js';
import { SECRET_RULES } from './patterns.js';
import { NeedleFinder, type Rule } from './rules.js';

/** Your own rule. */
export interface RedactionRule {
  /** A text or a pattern. It is matched against the raw line, with JSON's escapes. */
  readonly find: string | RegExp;
  /** The replacement. Default: `<redacted>`. */
  readonly replace?: string | undefined;
  /** A text that every match contains; only lines with it are tested. */
  readonly needle?: string | undefined;
}

/** The options of {@link makeRedactor}. */
export interface RedactOptions {
  /** Rules in addition to the built-in ones. */
  readonly rules?: readonly RedactionRule[] | undefined;
  /** Texts to replace wherever they occur. */
  readonly secrets?: readonly string[] | undefined;
  /** The environment whose secrets are removed. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The home folder, written as `~`. */
  readonly home?: string | undefined;
  /** The folder for temporary files. */
  readonly tmp?: string | undefined;
  /** The name of the user. */
  readonly user?: string | undefined;
}

/** Removes secrets from a line. JSON stays valid unless one of your own rules breaks it. */
export type Redact = (line: string) => string;

/** Creates a function that removes secrets from a line. */
export function makeRedactor(options: RedactOptions = {}): Redact {
  const redactor = new Redactor(options);
  return (line) => redactor.clean(line);
}

/**
 * Knows API keys, tokens, authorization headers, passwords, e-mail addresses, home and temporary paths, the
 * user's name, and the values of environment variables that are named like secrets.
 */
export class Redactor {
  /** The texts that are replaced wherever they occur. */
  readonly texts: readonly string[];
  readonly #finder: NeedleFinder;

  constructor(options: RedactOptions = {}) {
    const { rules = [], secrets = [], env = process.env, home = homedir(), tmp = tmpdir() } = options;
    const all = [
      // An empty value, such as an unset variable, would match everywhere.
      ...rules.filter(({ find }) => find !== '').map(ownRule),
      ...[...secrets, ...secretVariables(env)]
        .filter((secret) => secret !== '')
        .map((secret) => literalRule(secret, '<secret>')),
      // Before user names are removed from home paths: this home has its own replacement.
      ...pathSpellings(home).flatMap((path) => pathRules(path, '<home>')),
      ...pathSpellings(tmp).flatMap((path) => pathRules(path, '<tmp>')),
      ...SECRET_RULES,
      ...userRules(options.user ?? userName()),
    ];
    this.texts = all.flatMap(({ texts = [] }: Rule) => texts);
    this.#finder = new NeedleFinder(all);
  }

  /** Removes secrets from one line. */
  clean(line: string): string {
    return this.rulesFor(line).reduce((text, { apply }) => apply(text), line);
  }

  /** The rules that may match a text; for most texts there are none, which is quick to see. */
  rulesFor(text: string): readonly Rule[] {
    return this.#finder.find(text);
  }
}

function ownRule({ find, replace = '<redacted>', needle }: RedactionRule): Rule {
  const needles = [needle ?? (typeof find === 'string' ? find : '')];
  if (typeof find === 'string')
    return { needles, texts: [find], apply: (line) => line.replaceAll(find, () => replace) };
  const pattern = find.global ? find : new RegExp(find.source, `${find.flags}g`);
  return { needles, apply: (line) => line.replace(pattern, replace) };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id that has no name.
    return '';
  }
}
