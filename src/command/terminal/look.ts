/** Wraps a text so that a terminal shows it in a colour, or leaves it as it is. */
export type Paint = (text: string) => string;

/** How things look: colours and signs. */
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
  /** Whether a line may be drawn again and again. */
  readonly live: boolean;
}

/** What the look of a stream depends on. */
export interface LookOptions {
  readonly isTty: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/** The look for a stream: colours and a live line only on a capable terminal, unless the variables say otherwise. */
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
  // The same order as in Node itself: what is forced wins.
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
