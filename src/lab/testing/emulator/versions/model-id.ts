import type { Cli } from '../cli.js';

/** The model id behind the name that the host chose; a name that is not known is sent as it is. */
export function resolvedModel({ traits, state }: Cli): string {
  return traits.models[state.model] ?? state.model;
}

/** Where the CLI keeps the transcript of this session. */
export function transcriptPath({ state }: Cli): string {
  const usual = `${state.home}/.claude/projects/${state.cwd.replaceAll(/[^A-Za-z0-9]/g, '-')}`;
  return `${state.transcriptFolder ?? usual}/${state.sessionId}.jsonl`;
}
