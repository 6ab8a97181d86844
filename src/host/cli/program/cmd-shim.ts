import { type FileLook, readText } from '../../../wire/transport/process/system.js';

/**
 * The program that an npm `.cmd` shim starts, resolved next to the shim; undefined if the shim is not
 * recognised. Node refuses to start batch files without a shell, and a shell would parse the arguments again.
 */
export function resolveCmdShim(
  shim: string,
  files: FileLook,
  join: (...parts: string[]) => string,
): string | undefined {
  const text = readText(files, shim);
  if (text === undefined) return undefined;
  // The last match is the program: an earlier one checks for a node.exe next to the shim.
  const target = [...text.matchAll(SHIM_TARGET)]
    .map(([, path = '']) => path)
    .findLast((path) => !isNode(path));
  return target === undefined ? undefined : join(shim, '..', target);
}

const SHIM_TARGET = /"%(?:~dp0|dp0%)\\?([^"%]+?\.(?:js|mjs|cjs|exe))"/gi;

function isNode(path: string): boolean {
  return /(^|\\)node\.exe$/i.test(path);
}
