import type { Engine } from './engine.js';

const REFERENCE = '{"blob":"';

/** A text as a message: if it is too long, it is stored separately, and the message says where. */
export async function packText(
  engine: Engine,
  text: string,
  name = `messages/${engine.makeId()}`,
): Promise<string> {
  if (Buffer.byteLength(text) <= engine.mostBytes) return text;
  await engine.blobs.putBlob({ name }, new TextEncoder().encode(text));
  return JSON.stringify({ blob: name });
}

/** The text of a message. */
export async function unpackText({ blobs }: Engine, message: string): Promise<string> {
  if (!message.startsWith(REFERENCE)) return message;
  const bytes = await blobs.getBlob(nameIn(message));
  return bytes === null ? message : new TextDecoder().decode(bytes);
}

/** Deletes the stored text of a message that nobody needs any more. */
export function dropText({ blobs }: Engine, message: string): void {
  if (message.startsWith(REFERENCE)) void blobs.delete(nameIn(message)).catch(() => {});
}

function nameIn(message: string): string {
  return String((JSON.parse(message) as { blob: unknown }).blob);
}
