import type { ModelRequest } from './request.js';

/** A regular expression as data, for scripts in JSON. */
export interface Pattern {
  /** A regular expression. */
  readonly pattern: string;
  /** The flags of the expression. */
  readonly flags?: string;
}

/** Matches a text: a substring, or a regular expression. */
export type TextMatcher = string | RegExp | Pattern;

/** Matches only the user's text, or only tool results. */
export interface AimedMatcher {
  /** Matches the user's text. */
  readonly user?: TextMatcher;
  /** Matches the text of a tool result. */
  readonly toolResult?: TextMatcher;
}

/** Matches a request by its last user text or its tool results, or by a function of the whole request. */
export type Matcher = TextMatcher | AimedMatcher | ((request: ModelRequest) => boolean);

/** Whether a request matches. */
export function matches(matcher: Matcher, request: ModelRequest): boolean {
  if (typeof matcher === 'function') return matcher(request) === true;
  const results = request.toolResults.map((result) => result.text).join('\n');
  if (isTextMatcher(matcher)) {
    return [request.userText, results].some((text) => fits(matcher, text));
  }
  const user = matcher.user === undefined || fits(matcher.user, request.userText);
  const toolResult =
    matcher.toolResult === undefined || (request.toolResults.length > 0 && fits(matcher.toolResult, results));
  return user && toolResult;
}

/** A matcher in words, for the table of a failed script. */
export function describeMatcher(matcher: Matcher | undefined): string {
  if (matcher === undefined) return 'any request';
  if (typeof matcher === 'function') return `a request that ${matcher.name || 'the function'} accepts`;
  if (isTextMatcher(matcher)) return `text ${describeText(matcher)}`;
  const user = matcher.user === undefined ? [] : [`user text ${describeText(matcher.user)}`];
  const result = matcher.toolResult === undefined ? [] : [`tool result ${describeText(matcher.toolResult)}`];
  return [...user, ...result].join(' and ');
}

function isTextMatcher(matcher: TextMatcher | AimedMatcher): matcher is TextMatcher {
  return typeof matcher === 'string' || matcher instanceof RegExp || 'pattern' in matcher;
}

function fits(matcher: TextMatcher, text: string): boolean {
  if (typeof matcher === 'string') return text.includes(matcher);
  return text.search(toRegExp(matcher)) >= 0;
}

function describeText(matcher: TextMatcher): string {
  return typeof matcher === 'string' ? `with ${JSON.stringify(matcher)}` : `like ${toRegExp(matcher)}`;
}

function toRegExp(matcher: RegExp | Pattern): RegExp {
  return matcher instanceof RegExp ? matcher : new RegExp(matcher.pattern, matcher.flags);
}
