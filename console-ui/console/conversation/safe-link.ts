/** A URL from a model's text that may be followed, or undefined: only web and mail links. */
export function safeLink(href: string): string | undefined {
  const trimmed = href.trim();
  // Browsers ignore tabs and newlines inside a scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
  if (/[\u0000-\u0020]/.test(trimmed)) return undefined;
  return /^(?:https?:\/\/|mailto:)/i.test(trimmed) ? trimmed : undefined;
}
