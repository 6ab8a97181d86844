import type { System } from '../../../wire/transport/process/system.js';
import type { ErrorCode } from '../../../wire/util/error-codes.js';
import { type FileHeader, HEADER_BYTES, readHeader } from './file-header.js';

/** Why a file cannot be run here. */
export interface ProgramProblem {
  readonly code: ErrorCode;
  /** Reads after the path: "is a folder". */
  readonly why: string;
}

/** Returns why a file cannot run on this system; undefined if its header allows it. */
export function programProblem(path: string, system: System): ProgramProblem | undefined {
  const facts = system.files.stat(path);
  if (facts === undefined) return { code: 'CLI_NOT_FOUND', why: 'does not exist' };
  if (facts.kind !== 'file') return { code: 'CLI_NOT_EXECUTABLE', why: 'is not a file' };
  if (facts.size === 0) return { code: 'CLI_NOT_EXECUTABLE', why: 'is empty' };
  const header = headerOf(path, system);
  if (isNodeScript(path, system, header)) return undefined;
  if (system.platform === 'win32') return windowsProblem(header);
  if (!system.files.executable(path)) {
    return { code: 'CLI_NOT_EXECUTABLE', why: `is not executable: try chmod +x ${path}` };
  }
  return headerProblem(header, system);
}

/** Whether a file is JavaScript that Node runs: by its name, or by a `#!` line that names node. */
export function isNodeScript(path: string, system: System, header = headerOf(path, system)): boolean {
  // A program is no script, whatever the links to it are called.
  if (header !== undefined && PROGRAMS.has(header.format)) return false;
  if (SCRIPT_NAME.test(path) || SCRIPT_NAME.test(system.files.real(path))) return true;
  return header?.format === 'script' && /(^|\/)node$/.test(shebangProgram(header));
}

/** The program that a `#!` line names: `node` in both `#!/usr/bin/env node` and `#!/usr/bin/env -S node -x`. */
export function shebangProgram(header: Extract<FileHeader, { format: 'script' }>): string {
  if (!/(^|\/)env$/.test(header.interpreter)) return header.interpreter;
  const words = header.argument.split(/\s+/).filter((word) => word !== '');
  return words.find((word) => !word.startsWith('-') && !word.includes('=')) ?? header.interpreter;
}

/** The header of a file; undefined if it cannot be read, as with programs that may only be executed. */
export function headerOf(path: string, system: System): FileHeader | undefined {
  const bytes = system.files.start(path, HEADER_BYTES);
  return bytes === undefined ? undefined : readHeader(bytes);
}

const PROGRAMS: ReadonlySet<string> = new Set(['elf', 'mach-o', 'windows']);

const SCRIPT_NAME = /\.(?:js|mjs|cjs)$/i;

function headerProblem(header: FileHeader | undefined, system: System): ProgramProblem | undefined {
  if (header === undefined || header.format === 'script') return undefined;
  if (header.format === 'unknown') {
    // Without this check exec falls back to /bin/sh, which would run the file as a script.
    return { code: 'CLI_NOT_EXECUTABLE', why: 'is neither a program nor a script with a #! line' };
  }
  const wanted = system.platform === 'darwin' ? 'mach-o' : 'elf';
  if (header.format !== wanted) {
    return {
      code: 'CLI_WRONG_PLATFORM',
      why: `is a ${FORMAT_NAMES[header.format]}, which ${system.platform} cannot run`,
    };
  }
  return header.format === 'elf' ? elfProblem(header, system) : undefined;
}

/** Windows also recognises a program by its header; starting any other file fails with an error that names no cause. */
function windowsProblem(header: FileHeader | undefined): ProgramProblem | undefined {
  if (header === undefined || header.format === 'windows') return undefined;
  if (header.format === 'script' || header.format === 'unknown') {
    return { code: 'CLI_NOT_EXECUTABLE', why: 'is not a Windows program' };
  }
  return {
    code: 'CLI_WRONG_PLATFORM',
    why: `is a ${FORMAT_NAMES[header.format]}, which Windows cannot run`,
  };
}

const FORMAT_NAMES = { elf: 'Linux program', 'mach-o': 'macOS program', windows: 'Windows program' } as const;

function elfProblem(
  { arch, loader }: Extract<FileHeader, { format: 'elf' }>,
  system: System,
): ProgramProblem | undefined {
  const runsHere = arch === system.arch || (arch === 'ia32' && system.arch === 'x64');
  if (!runsHere) {
    return { code: 'CLI_WRONG_PLATFORM', why: `was built for ${arch}, and this machine is ${system.arch}` };
  }
  if (loader === undefined || system.files.stat(loader) !== undefined) return undefined;
  const library = loader.includes('musl') ? 'musl' : 'glibc';
  const other = library === 'musl' ? 'without "-musl"' : 'ending in "-musl"';
  return {
    code: 'CLI_WRONG_PLATFORM',
    why: `was built for ${library}: its loader ${loader} is not on this system. Install the platform package ${other}`,
  };
}
