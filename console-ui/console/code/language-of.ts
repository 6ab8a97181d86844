/** Extensions whose language has another name. */
const ENDINGS: Readonly<Record<string, string>> = {
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescript',
  h: 'c',
  hpp: 'cpp',
  cc: 'cpp',
  html: 'xml',
  svg: 'xml',
  vue: 'xml',
  toml: 'ini',
  conf: 'ini',
  env: 'ini',
  zsh: 'bash',
  jsonl: 'json',
  patch: 'diff',
};

/** A file's language, by its name. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'dockerfile' || name === 'makefile') return name;
  const ending = name.slice(name.lastIndexOf('.') + 1);
  return ENDINGS[ending] ?? ending;
}
