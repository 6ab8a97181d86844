import type { WireObject } from '../../../src/wire/protocol/frames.js';

/** A file that goes along with a message. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly block: WireObject;
  /** What to show of a picture. */
  readonly preview: string | undefined;
}

/** The largest file that is taken along. */
const LARGEST = 8 * 1024 * 1024;

const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Reads a file into a block of a message, or rejects with why it cannot go along. */
export async function readAttachment(file: File, makeId: () => string): Promise<Attachment> {
  if (file.size > LARGEST) throw new Error(`${file.name} is too large: at most ${LARGEST / 1024 / 1024} MB.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const id = makeId();
  if (PICTURES.has(file.type)) {
    const data = toBase64(bytes);
    const block = { type: 'image', source: { type: 'base64', media_type: file.type, data } };
    return { id, name: file.name, block, preview: `data:${file.type};base64,${data}` };
  }
  if (file.type === 'application/pdf') {
    const source = { type: 'base64', media_type: file.type, data: toBase64(bytes) };
    return { id, name: file.name, block: { type: 'document', title: file.name, source }, preview: undefined };
  }
  return { id, name: file.name, block: textBlock(file.name, bytes), preview: undefined };
}

/** A text file goes along as text, under its name. */
function textBlock(name: string, bytes: Uint8Array): WireObject {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { type: 'text', text: `${name}:\n\n\`\`\`\n${text}\n\`\`\`` };
  } catch {
    throw new Error(`${name} is neither a picture, a PDF nor a text.`);
  }
}

/** In parts: a call with millions of arguments would overflow the stack. */
function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(parts.join(''));
}

/** The content of a message: a plain text where nothing goes along. */
export function contentOf(text: string, attachments: readonly Attachment[]): string | readonly WireObject[] {
  if (attachments.length === 0) return text;
  const said = text.trim() === '' ? [] : [{ type: 'text', text }];
  return [...attachments.map(({ block }) => block), ...said];
}
