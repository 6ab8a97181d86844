import type { WireObject } from '../../../src/wire/protocol/frames.js';
import type { Block } from '../model/items.js';

/** A file attached to a message. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly block: WireObject;
  /** A preview of an image. */
  readonly preview: string | undefined;
}

/** The maximum size of an attached file. */
const LARGEST = 8 * 1024 * 1024;

const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Reads a file into a content block, or rejects with the reason why it cannot be attached. */
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

/** A text file is sent as text, with its name. */
function textBlock(name: string, bytes: Uint8Array): WireObject {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { type: 'text', text: `${name}:\n\n\`\`\`\n${text}\n\`\`\`` };
  } catch {
    throw new Error(`${name} cannot be attached: it is not a PNG, JPEG, GIF, WebP, PDF or text file.`);
  }
}

/** In parts: a call with millions of arguments would overflow the stack. */
function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(parts.join(''));
}

/** The attachments of a sent message, to send them again; text files are part of its text. */
export function attachmentsOf(blocks: readonly Block[], makeId: () => string): readonly Attachment[] {
  return blocks.flatMap((block): readonly Attachment[] => {
    if (block.type === 'text') return [];
    if (block.type !== 'image')
      return [{ id: makeId(), name: nameOf(block), block: block.json, preview: undefined }];
    const [, media_type = '', data = ''] = /^data:([^;]*);base64,(.*)$/s.exec(block.source) ?? [];
    const source = { type: 'base64', media_type, data };
    return [{ id: makeId(), name: 'Picture', block: { type: 'image', source }, preview: block.source }];
  });
}

function nameOf(block: Exclude<Block, { type: 'text' | 'image' }>): string {
  return block.type === 'file' ? block.name : String(block.json.type);
}

/** A message's content: plain text if nothing is attached. */
export function contentOf(text: string, attachments: readonly Attachment[]): string | readonly WireObject[] {
  if (attachments.length === 0) return text;
  const said = text.trim() === '' ? [] : [{ type: 'text', text }];
  return [...attachments.map(({ block }) => block), ...said];
}
