import Anser, { type AnserJsonEntry } from 'anser';

/** A run of characters with the same style. */
export interface AnsiSpan {
  readonly text: string;
  /** Style names: `red`, `bright-red`, `bold`. */
  readonly looks: readonly string[];
  /** Colours without a name. */
  readonly colour: string | undefined;
  readonly background: string | undefined;
}

/** Parses terminal output. */
export function ansiSpans(text: string): readonly AnsiSpan[] {
  return Anser.ansiToJson(text, { use_classes: true, remove_empty: true }).map((entry) => ({
    text: entry.content,
    looks: [...named(entry.fg, ''), ...named(entry.bg, 'on-'), ...entry.decorations],
    colour: unnamed(entry.fg, entry.fg_truecolor),
    background: unnamed(entry.bg, entry.bg_truecolor),
  }));
}

/** We choose the sixteen classic colours, so they are readable on both backgrounds. */
function named(colour: AnserJsonEntry['fg'] | null, prefix: string): readonly string[] {
  const name = /^ansi-((?:bright-)?(?:black|red|green|yellow|blue|magenta|cyan|white))$/.exec(colour ?? '');
  return name?.[1] === undefined ? [] : [`${prefix}${name[1]}`];
}

function unnamed(colour: string | null, exact: string | null): string | undefined {
  if (colour === 'ansi-truecolor' && exact !== null && exact !== '') return `rgb(${exact})`;
  const place = /^ansi-palette-(\d+)$/.exec(colour ?? '')?.[1];
  return place === undefined ? undefined : paletteColour(Number(place));
}

/** The terminal colours 16 to 255: a cube of 6 steps each way, then greys. */
function paletteColour(place: number): string {
  if (place >= 232) {
    const grey = 8 + (place - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const steps = [Math.floor((place - 16) / 36), Math.floor((place - 16) / 6) % 6, (place - 16) % 6];
  return `rgb(${steps.map((step) => (step === 0 ? 0 : 55 + step * 40)).join(' ')})`;
}
