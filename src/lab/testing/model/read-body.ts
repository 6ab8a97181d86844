import type { IncomingMessage } from 'node:http';

/** The bytes of a request, or why they were not read. */
export type BodyOutcome =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'gone' };

/** Reads a body up to a limit; what comes after it is read and thrown away, so that an answer gets through. */
export function readBody(request: IncomingMessage, limit: number): Promise<BodyOutcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      resolve({ kind: 'too-large' });
    });
    request.once('end', () => resolve({ kind: 'read', bytes: Buffer.concat(chunks) }));
    request.once('close', () => resolve({ kind: 'gone' }));
  });
}
