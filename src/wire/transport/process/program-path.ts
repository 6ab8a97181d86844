import { pathsOf, readVariable, realSystem, type System } from './system.js';

/** The places where PATH may have a program, by the naming rules of the system. */
export function searchPathFiles(name: string, searchPath: string, platform: NodeJS.Platform): string[] {
  const { join, delimiter } = pathsOf(platform);
  const names = platform === 'win32' ? windowsNames(name) : [name];
  const folders = new Set(searchPath.split(delimiter).filter((folder) => folder !== ''));
  return [...folders].flatMap((folder) => names.map((each) => join(folder, each)));
}

function windowsNames(name: string): string[] {
  return /\.\w+$/.test(name) ? [name] : [`${name}.exe`, `${name}.cmd`, `${name}.bat`];
}

/**
 * What to start for a program in PATH; undefined if it is missing. Windows would search the working folder first,
 * where a project could put its own `git.exe`.
 */
export function programInPath(name: string, system: System = realSystem()): string | undefined {
  const { platform, env, files } = system;
  if (platform !== 'win32') return name;
  const { isAbsolute } = pathsOf(platform);
  return searchPathFiles(`${name}.exe`, readVariable(platform, env, 'PATH') ?? '', platform).find(
    (path) => isAbsolute(path) && files.stat(path)?.kind === 'file',
  );
}

/** A program that is part of Windows, by its full path: see {@link programInPath}. */
export function windowsProgram(name: string, env: Readonly<NodeJS.ProcessEnv> = process.env): string {
  const root = readVariable('win32', env, 'SystemRoot') || 'C:\\Windows';
  return `${root}\\System32\\${name}.exe`;
}
