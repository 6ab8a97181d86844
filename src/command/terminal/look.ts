/** Wraps text in terminal colour codes, or leaves it unchanged. */
export type Paint = (text: string) => string;

/** Terminal styling: colours and symbols. */
export interface Look {
  readonly dim: Paint;
  readonly bold: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
  readonly good: string;
  readonly bad: string;
  readonly dot: string;
  readonly spinner: readonly string[];
  /** Whether a line may be redrawn. */
  readonly live: boolean;
}

/** What a stream's styling depends on. */
export interface LookOptions {
  readonly isTty: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/**
 * The styling for a stream: colours and a live line only on a capable terminal, unless the variables say
 * otherwise.
 */
export function lookFor({ isTty, env, platform }: LookOptions): Look {
  const capable = isTty && env.TERM !== 'dumb';
  const colour = wantsColour(env, capable);
  const paint = (start: number, end: number): Paint =>
    colour ? (text) => `\u001b[${start}m${text}\u001b[${end}m` : (text) => text;
  return {
    dim: paint(2, 22),
    bold: paint(1, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
    live: capable && !isSet(env.CI),
    ...(speaksUnicode(env, platform) ? UNICODE : ASCII),
  };
}

function wantsColour(env: LookOptions['env'], capable: boolean): boolean {
  // The same precedence as in Node: forced settings win.
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return capable && !isSet(env.NO_COLOR);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

function speaksUnicode(env: LookOptions['env'], platform: string): boolean {
  if (platform === 'win32') return isSet(env.WT_SESSION) || env.TERM_PROGRAM === 'vscode';
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}

const UNICODE = { good: '✓', bad: '✗', dot: '·', spinner: [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'] };
const ASCII = { good: 'ok', bad: '!!', dot: '-', spinner: [...'|/-\\'] };
