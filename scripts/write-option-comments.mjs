// Writes the sentences of the option tables above the options in the declarations, so that editors show them; `--check`
// only reports whether they are up to date.
import { remoteOptionSpecs } from '../src/entry/sdk/remote-session.ts';
import { cliOptionSpecs } from '../src/host/cli/options/cli-option-table.ts';
import { sessionOptionSpecs } from '../src/host/session/session-option-table.ts';
import { managerOptionSpecs } from '../src/server/manager/manager-option-checks.ts';
import { settle } from './lib/generated.mjs';
import { withComments } from './lib/option-comments.mjs';

/** Options of the official SDK with a different meaning there, and so their own comment. */
const OFFICIAL = [
  ...['env', 'executable', 'extraArgs', 'hooks', 'maxThinkingTokens', 'mcpServers', 'onElicitation'],
  ...['outputFormat', 'record', 'skills', 'systemPrompt'],
];

const cli = sentencesOf(cliOptionSpecs);
const session = sentencesOf(sessionOptionSpecs);
const shared = Object.fromEntries(Object.entries(session).filter(([name]) => !OFFICIAL.includes(name)));

const files = [
  ['src/host/cli/options/cli-options.ts', { ProcessOptions: cli, CliOptions: cli }],
  ['src/host/cli/options/initialize-options.ts', { InitializeOptions: session }],
  ['src/host/session/prompts/open-prompts.ts', { PromptCallbacks: session }],
  ['src/host/session/session-options.ts', { OwnOptions: session }],
  ['src/entry/sdk/remote-session.ts', { OpenOptions: sentencesOf(remoteOptionSpecs) }],
  ['src/server/manager/manager-options.ts', { ManagerOptions: sentencesOf(managerOptionSpecs) }],
  ['src/entry/compat/types/option-types.ts', { Options: shared }],
].map(([path, described]) => [path, withComments(path, described)]);

process.exitCode = settle(files, {
  check: process.argv.includes('--check'),
  remedy: 'npm run option-comments',
});

function sentencesOf(specs) {
  return Object.fromEntries(Object.entries(specs).map(([name, { sentence }]) => [name, sentence]));
}
