/**
 * Characters that are invisible, or that change how others look: controls except tab and newline, direction marks,
 * joiners, fillers, and unusual line separators.
 */
const UNUSUAL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Long runs of empty lines or blanks, which push what follows out of sight. */
const GAP = /\n(?:[ \t]*\n){4,}|[ \t\u00a0\u2000-\u200a\u202f\u205f\u3000]{40,}/u;
const SPLIT = new RegExp(`(${GAP.source}|(?![\\t\\n])${UNUSUAL.source})`, 'u');

/** A piece of a text: as it is, or a description of something deceptive. */
export interface TextPart {
  readonly text: string;
  readonly unusual: boolean;
}

/** Splits a text into parts that can be shown as they are, and parts that must be described, so that nothing is hidden. */
export function textParts(text: string): readonly TextPart[] {
  const pieces = text.replaceAll('\r\n', '\n').split(SPLIT);
  return pieces.flatMap((piece, index) => {
    if (piece === '') return [];
    return index % 2 === 0 ? [{ text: piece, unusual: false }] : described(piece);
  });
}

/** The same as one text. */
export function visible(text: string): string {
  return textParts(text)
    .map((part) => part.text)
    .join('');
}

function described(piece: string): readonly TextPart[] {
  const lines = piece.split('\n').length - 2;
  if (lines > 0) {
    const more = { text: `[${lines} empty lines]`, unusual: true };
    return [{ text: '\n', unusual: false }, more, { text: '\n', unusual: false }];
  }
  if (piece.length >= 40) return [{ text: ` [${piece.length} blanks] `, unusual: true }];
  return [{ text: `\\u{${piece.codePointAt(0)?.toString(16)}}`, unusual: true }];
}
