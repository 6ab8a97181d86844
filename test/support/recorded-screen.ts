import { type Look, lookFor } from '../../src/command/terminal/look.js';
import { Screen } from '../../src/command/terminal/screen.js';

/** The target of a screen. */
export interface RecordedScreenOptions {
  readonly outIsTty?: boolean;
  readonly errIsTty?: boolean;
  readonly columns?: number;
}

/** The styling of a stream that is not a terminal. */
export const PLAIN_LOOK: Look = lookFor({ isTty: false, env: { LANG: 'C.UTF-8' }, platform: 'linux' });

/** A screen without colours that records its output: per stream, and all of it in order. */
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
