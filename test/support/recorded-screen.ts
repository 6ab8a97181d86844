import { type Look, lookFor } from '../../src/command/terminal/look.js';
import { Screen } from '../../src/command/terminal/screen.js';

/** What a screen is shown on. */
export interface RecordedScreenOptions {
  readonly outIsTty?: boolean;
  readonly errIsTty?: boolean;
  readonly columns?: number;
}

/** The look of a stream that is no terminal. */
export const PLAIN_LOOK: Look = lookFor({ isTty: false, env: { LANG: 'C.UTF-8' }, platform: 'linux' });

/** A screen without colours that keeps what it is told: per stream, and all in the order it came. */
export function recordedScreen({
  outIsTty = false,
  errIsTty = false,
  columns = 80,
}: RecordedScreenOptions = {}) {
  const written = { out: '', err: '', all: '' };
  const write = (stream: 'out' | 'err') => (text: string) => {
    written[stream] += text;
    written.all += text;
  };
  const env = { LANG: 'C.UTF-8', NO_COLOR: '1' };
  const screen = new Screen({
    writeOut: write('out'),
    writeErr: write('err'),
    outIsTty,
    errIsTty,
    columns: () => columns,
    look: lookFor({ isTty: errIsTty, env, platform: 'linux' }),
  });
  return { screen, written };
}
