import { isEscaped, stringEnd } from './json-strings.js';
import { patternRule, type Rule, WORD_START } from './rules.js';

const KEY_WORD =
  'api[-_]?key|access[-_]?key|secret|passwd|password|passphrase|credentials?|private[-_]?key|token';
// Keys in lower, upper or camel case; any other mixture is not searched for. "tokens" is on nearly every line.
const KEY_NEEDLES = [
  ...['cre', 'CRE', 'pass', 'Pass', 'PASS', 'key', 'Key', 'KEY'],
  ...['ken"', "ken'", 'ken\\', 'ken=', 'ken:', 'ken ', 'KEN'],
];
/**
 * The text between a header's name and its value, each quote escaped or not. The value may be the first of a list, or
 * the second of a pair. A quoted name has a quoted value: anything else there, such as `null`, is not text and must stay.
 * A quote before a comma or a bracket ends the text.
 */
const HEADER_VALUE = String.raw`(?:\\*["']\s*(?:[:=]\s*(?:\[\s*)?|,\s*(?:\\*"value\\*"\s*:\s*)?)\\*["']|\s*[:=]\s*\\*(?:["'](?![,}\]]))?)`;
const NAME_AND_PASSWORD = String.raw`[^\s:"'\\<>/]{1,200}:[^\s"'\\<]{1,400}`;

/** The shapes of secrets. No match includes a quote, a backslash or half an escape. */
export const SECRET_RULES: readonly Rule[] = [
  patternRule(
    [
      'ghp_',
      'gho_',
      'ghu_',
      'ghs_',
      'ghr_',
      'b_pat_',
      'xox',
      'KIA',
      'SIA',
      'Iza',
      'glpat',
      'pm_',
      'hf_',
      'k_live',
      'k_test',
      'whsec_',
      'SG.',
      'hvs.',
      'dop_v1',
      'glsa_',
      'GE-SEC',
      'xai-',
      'ya29',
    ],
    /gh[pousr]_\w{16,}|github_pat_\w{16,}|xox[abeprs]-[\w-]{8,}|A[KS]IA[0-9A-Z]{16}|AIza[\w-]{30,}|glpat-[\w-]{16,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|[rs]k_(?:live|test)_\w{16,}|whsec_\w{16,}|SG\.[\w-]{16,}\.[\w-]{16,}|hvs\.[\w-]{16,}|dop_v1_\w{32,}|glsa_\w{16,}|AGE-SECRET-KEY-1[0-9A-Z]{20,}|xai-\w{20,}|ya29\.[\w-]{16,}/g,
    '<api-key>',
  ),
  patternRule(['k-'], new RegExp(String.raw`sk-ant-[\w-]{4,}|${WORD_START}sk-[\w-]{16,}`, 'g'), '<api-key>'),
  // The header of a token is short; without a limit, many unterminated ones would take quadratic time.
  patternRule(['J'], /eyJ[\w-]{8,500}\.[\w-]{8,}\.[\w-]{4,}/g, '<token>'),
  // The first word too: streamed text may be cut after it.
  { needles: ['BEGIN ', 'PRIVAT'], apply: hidePrivateKeys },
  patternRule(
    ['zation', 'ZATION'],
    new RegExp(String.raw`(authorization${HEADER_VALUE})((?:[A-Za-z]+\s+)?)[^"'\\\s<]+`, 'gi'),
    '$1$2<token>',
  ),
  patternRule(
    ['Bearer', 'bearer', 'BEARER'],
    /(bearer\s+)(?=[^"\\\s]*[\d._~+/=-])[\w.~+/=-]{6,}/gi,
    '$1<token>',
  ),
  patternRule(['kie', 'KIE'], new RegExp(String.raw`(cookie${HEADER_VALUE})[^"'\\<]+`, 'gi'), '$1<cookie>'),
  { needles: KEY_NEEDLES, apply: hideKeyedValues },
  // Some languages write a slash as an escape.
  patternRule(['@'], /:(\\*\/\\*\/)[^/\s"\\:@<]{0,200}:[^/\s"\\@<]{1,400}@/g, ':$1<credentials>@'),
  // In the form that `curl` accepts; two numbers are a user and a group.
  patternRule(
    ['-u ', '-u=', '-u"', '-u\\', '-user'],
    new RegExp(
      String.raw`((?:-u|--(?:proxy-)?user)(?:[ =]|\\*",\s?\\*")\\*["']?)(?!\d+:\d+(?![\w-]))${NAME_AND_PASSWORD}`,
      'g',
    ),
    '$1<credentials>',
  ),
  { needles: ['@'], apply: hideEmails },
  patternRule(
    ['/home', 'Users'],
    /(\/home\\*\/|\/Users\\*\/|[A-Za-z]:\\+Users\\+)(?![<.])[^/\\"'\s:;,<>]+/g,
    '$1<user>',
  ),
];

const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g;
const KEY_TEXT = /[^"\\-]+|\\+[nr]|-(?!----)/y;
const KEY_END = /-----END [A-Z ]{0,40}PRIVATE KEY-----/y;

/** Replaces private keys, to their end or that of the text. */
function hidePrivateKeys(line: string): string {
  let clean = '';
  let done = 0;
  for (const { 0: begin, index } of line.matchAll(PRIVATE_KEY)) {
    if (index < done) continue;
    clean += `${line.slice(done, index)}<private-key>`;
    done = endOfKey(line, index + begin.length);
  }
  return clean + line.slice(done);
}

function endOfKey(line: string, from: number): number {
  let end = from;
  for (;;) {
    const next = endOfMatch(KEY_TEXT, line, end);
    if (next === undefined) return endOfMatch(KEY_END, line, end) ?? end;
    end = next;
  }
}

function endOfMatch(sticky: RegExp, line: string, from: number): number | undefined {
  sticky.lastIndex = from;
  return sticky.test(line) ? sticky.lastIndex : undefined;
}

// Between plain quotes a value may contain spaces and escapes; elsewhere it ends at the end of a word.
const KEYED_STRING = new RegExp(String.raw`(?:${KEY_WORD})"\s*:\s*"`, 'gi');
const KEYED_VALUES = [
  /(--[\w-]{0,40}?(?:api-?key|token|password|secret)[ =]\\*(?:["'](?![,}\]]))?)(?!<)[^"'\\\s]+/gi,
  /([?&]key=)[^&"'\\\s<]+/g,
  new RegExp(String.raw`((?:${KEY_WORD})(?:\\+["']|')\s*:\s*(?:\\+["']|'))[^"'\\]+`, 'gi'),
  // With spaces around the equals sign it may be a line of code: then the value must look like a secret too.
  new RegExp(String.raw`((?:${KEY_WORD})\s{1,2}=\s{0,2})(?=[A-Za-z+/._-]{0,80}\d)[\w+/.=-]{16,}`, 'gi'),
  new RegExp(String.raw`((?:${KEY_WORD})(?:=|:\s{0,2})\\*["']?)(?!\d+\b|<)[^"'\\\s,;&<>(){}[\]]{4,}`, 'gi'),
];

function hideKeyedValues(line: string): string {
  return KEYED_VALUES.reduce((text, pattern) => text.replace(pattern, '$1<secret>'), hideKeyedStrings(line));
}

function hideKeyedStrings(line: string): string {
  let clean = '';
  let done = 0;
  for (const { 0: beginning, index } of line.matchAll(KEYED_STRING)) {
    const start = index + beginning.length;
    const end = stringEnd(line, start);
    if (index < done || end === undefined || end === start) continue;
    clean += `${line.slice(done, start)}<secret>`;
    done = end;
  }
  return clean + line.slice(done);
}

const LOCAL = /[A-Za-z0-9._%+-]/;
const DOMAIN = /^[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,6}\.[A-Za-z]{2,24}(?![A-Za-z0-9-])/;
const LONGEST_LOCAL = 64;

/** Replaces e-mail addresses. It starts at each `@`: a pattern would try every letter of a long text. */
function hideEmails(line: string): string {
  let clean = '';
  let done = 0;
  for (let at = line.indexOf('@'); at !== -1; at = line.indexOf('@', at + 1)) {
    const domain = DOMAIN.exec(line.slice(at + 1, at + 300));
    const start = localStart(line, at, done);
    if (domain === null || start === at) continue;
    clean += `${line.slice(done, start)}<email>`;
    done = at + 1 + domain[0].length;
  }
  return clean + line.slice(done);
}

/** Where the part before the `@` begins, without the letter of an escape such as `\n`. */
function localStart(line: string, at: number, floor: number): number {
  let start = at;
  while (start > floor && at - start < LONGEST_LOCAL && LOCAL.test(line[start - 1] ?? '')) start -= 1;
  if (!isEscaped(line, start)) return start;
  return Math.min(at, start + (line[start] === 'u' ? 5 : 1));
}
