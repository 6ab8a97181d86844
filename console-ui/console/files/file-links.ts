/** A position in a file to show. */
export interface FilePlace {
  readonly path: string;
  readonly line?: number | undefined;
}

const PATH = /^((?:\.{1,2}\/|\/)?(?:[\w.@+-]+\/)+[\w.@+-]*\.\w{1,10})(?::(\d+)(?::\d+|-\d+)?)?$/;
const NAME =
  /^([\w@+-][\w.@+-]*\.(?:[cm]?[jt]sx?|json|md|py|go|rs|java|kt|rb|php|css|html?|ya?ml|toml|sh|sql|c|h|cpp|txt)):(\d+)$/;

/** The file position that a short text names: `src/a.ts`, `src/a.ts:12`, `a.ts:12`. */
export function filePlace(text: string): FilePlace | undefined {
  const found = PATH.exec(text) ?? NAME.exec(text);
  if (found?.[1] === undefined) return undefined;
  return { path: found[1], ...(found[2] === undefined ? {} : { line: Number(found[2]) }) };
}

const DATA = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;
const PICTURE = /^(?!\w+:|\/\/)[^?#]+\.(?:png|jpe?g|gif|webp)$/i;

/** What an image of a text refers to: data, or a file. Undefined for everything that would be fetched from elsewhere. */
export function pictureIn(
  href: string,
): { readonly source?: string | undefined; readonly path?: string | undefined } | undefined {
  if (DATA.test(href)) return { source: href };
  return PICTURE.test(href) ? { path: decoded(href) } : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
