import type { FoundHow } from '../../host/cli/program/cli-places.js';

/** The rule that found a CLI, in words. */
export function foundHow(how: FoundHow): string {
  return WORDS[how];
}

const WORDS: Readonly<Record<FoundHow, string>> = {
  option: 'set by --cli',
  environment: 'set by CLAUDE_CODE_PATH',
  package: 'the npm package near the project',
  path: 'found in PATH',
  'usual-place': 'found in a usual install folder',
};
