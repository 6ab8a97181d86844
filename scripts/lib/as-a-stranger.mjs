// What somebody has who reads the README for the first time: its first commands, a Node, and a small machine.
import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

/** The Nodes to try, by their major versions. */
export const MAJORS = ['20', '22', '24', '26'];

/** What a small image with git and npm has: no browser, no second shell, no server. */
const PROGRAMS = `git npm npx sh bash env awk find grep sed tar gzip ps xargs
  basename cat chmod cp cut date dirname echo expr false head id
  kill ln ls mkdir mkfifo mktemp mv nice od printf pwd readlink realpath
  rm rmdir setsid sleep sort stat tail tee test timeout touch tr true tty
  uname uniq wc which whoami yes`.split(/\s+/);

/** The commands of a README that begin with `npm ci`. @throws Error if there are none. */
export function firstCommands(readme) {
  const [, first = ''] = /<!-- try:start -->([\s\S]*?)<!-- try:end -->/.exec(readme) ?? [];
  const commands = [...first.matchAll(/^(npm ci && .+?) +#/gm)].map(([, command]) => command);
  if (commands.length === 0) throw new Error('The README has no commands to try.');
  return commands;
}

/** The Nodes in a folder of packages, by major version. @throws Error with the names of those that are missing. */
export function findNodes(folder) {
  const nodes = MAJORS.map((major) => [
    major,
    resolve(folder, 'node_modules', `node-${major}-${process.platform}-${process.arch}`, 'bin/node'),
  ]);
  const missing = nodes.filter(([, node]) => !existsSync(node)).map(([major]) => major);
  if (missing.length > 0) throw new Error(`Not in ${folder} for this system: Node ${missing.join(', ')}.`);
  return new Map(nodes);
}

/** Makes a folder with links to {@link PROGRAMS}; returns a PATH of it and a Node. */
export function smallPath(folder, node, path = process.env.PATH ?? '') {
  mkdirSync(folder);
  for (const name of PROGRAMS) {
    const found = path.split(delimiter).find((each) => existsSync(join(each, name)));
    if (found !== undefined) symlinkSync(realpathSync(join(found, name)), join(folder, name));
  }
  return [dirname(node), folder].join(delimiter);
}
