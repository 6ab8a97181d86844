// Module hooks that print what is loaded: one JSON line per resolved import.
import { writeSync } from 'node:fs';

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  writeSync(1, `${JSON.stringify({ url: resolved.url, by: context.parentURL ?? '' })}\n`);
  return resolved;
}
