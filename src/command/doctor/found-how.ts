import type { FoundHow } from '../../host/cli/program/cli-places.js';

/** By which rule a CLI was found, in words. */
export function foundHow(how: FoundHow): string {
  return WORDS[how];
}

const WORDS: Readonly<Record<FoundHow, string>> = {
  option: 'named by --cli',
  environment: 'named by CLAUDE_CODE_PATH',
  package: 'the npm package near the project',
  path: 'found in PATH',
  'usual-place': 'found where installers put it',
};
