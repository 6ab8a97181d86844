/** An address that may be followed from a model's text, or undefined: only the web and mail. */
export function safeLink(href: string): string | undefined {
  const trimmed = href.trim();
  // A browser passes over tabs and newlines inside of a scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
  if (/[\u0000-\u0020]/.test(trimmed)) return undefined;
  return /^(?:https?:\/\/|mailto:)/i.test(trimmed) ? trimmed : undefined;
}
