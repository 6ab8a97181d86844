/** What the first bytes of a program file reveal. */
export type FileHeader =
  | { readonly format: 'elf'; readonly arch: string; readonly loader: string | undefined }
  | { readonly format: 'mach-o' }
  | { readonly format: 'windows' }
  | { readonly format: 'script'; readonly interpreter: string; readonly argument: string }
  | { readonly format: 'unknown' };

/** How many bytes {@link readHeader} needs. */
export const HEADER_BYTES = 16 * 1024;

/** Reads the header of an executable file. Pure; never throws. */
export function readHeader(bytes: Uint8Array): FileHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 20 && view.getUint32(0) === 0x7f454c46) return readElf(view);
  if (bytes.length >= 4 && MACH_O.has(view.getUint32(0))) return { format: 'mach-o' };
  if (bytes.length >= 2 && view.getUint16(0) === 0x4d5a) return { format: 'windows' };
  if (bytes.length >= 2 && view.getUint16(0) === 0x2321) return readShebang(bytes);
  return { format: 'unknown' };
}

const MACH_O: ReadonlySet<number> = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe]);

/** Numbers from the ELF specification, with Node's names of the architectures. */
const ELF_MACHINES: Readonly<Record<number, string>> = {
  3: 'ia32',
  21: 'ppc64',
  22: 's390x',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
  258: 'loong64',
};

function readElf(view: DataView): FileHeader {
  const little = view.getUint8(5) === 1;
  const machine = view.getUint16(18, little);
  const arch = ELF_MACHINES[machine] ?? `machine ${machine}`;
  const wide = view.getUint8(4) === 2;
  return { format: 'elf', arch, loader: wide ? findLoader(view, little) : undefined };
}

/** The path in the PT_INTERP segment: the dynamic loader, whose name reveals the C library. */
function findLoader(view: DataView, little: boolean): string | undefined {
  if (view.byteLength < 64) return undefined;
  const table = Number(view.getBigUint64(32, little));
  const entrySize = view.getUint16(54, little);
  const entries = view.getUint16(56, little);
  for (let index = 0; index < entries; index += 1) {
    const entry = table + index * entrySize;
    if (entry + 56 > view.byteLength) return undefined;
    if (view.getUint32(entry, little) !== PT_INTERP) continue;
    const offset = Number(view.getBigUint64(entry + 8, little));
    const size = Number(view.getBigUint64(entry + 32, little));
    return readPath(view, offset, size);
  }
  return undefined;
}

const PT_INTERP = 3;

function readPath(view: DataView, offset: number, size: number): string | undefined {
  if (offset + size > view.byteLength || size === 0) return undefined;
  const bytes = new Uint8Array(view.buffer, view.byteOffset + offset, size);
  return new TextDecoder().decode(bytes).replace(/\0.*$/s, '');
}

function readShebang(bytes: Uint8Array): FileHeader {
  const line = new TextDecoder().decode(bytes.subarray(2, 512)).split('\n')[0] ?? '';
  const [, interpreter = '', argument = ''] = /^\s*(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
  return interpreter === '' ? { format: 'unknown' } : { format: 'script', interpreter, argument };
}
