import { resolve } from 'node:path';
import { Command } from 'commander';
import { findCli } from '../../host/cli/program/find-cli.js';
import type { Patch } from '../../host/patches/patch.js';
import { cacheFolder, type PatchPlan } from '../../host/patches/prepare.js';
import { plain } from '../../wire/util/plain.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_CHECK_FAILED, EXIT_OK } from '../exit-codes.js';
import { type Look, lookFor } from '../terminal/look.js';
import type { PatchVerdict } from './verify.js';

interface PatchFlags {
  readonly cli?: string;
  readonly folder?: string;
  readonly json?: boolean;
}

/** `coxswain patch`: more endpoints for old JavaScript CLIs, in a copy. */
export function patchCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  const command = new Command('patch');
  for (const [name, { about, run }] of Object.entries(actions)) {
    command
      .command(name)
      .description(about)
      .option('--cli <path>', 'the CLI to patch (default: the one that coxswain doctor finds)')
      .option('--folder <folder>', 'a folder with your own patches')
      .option('--json', 'print JSON')
      .action(async (flags: PatchFlags) => {
        setExitCode(await run(flags, context));
      });
  }
  return command.addHelpText('after', HELP);
}

const HELP = `
The installed CLI is never modified: the copy goes to your cache folder, and openSession({ patched: true }) uses it.
verify starts the copy offline, with a scripted model and a temporary home, and tests each patch.

Exit codes: 0 every patch applies (verify: and works), 10 some do not.`;

interface Action {
  readonly about: string;
  readonly run: (flags: PatchFlags, context: CommandContext) => Promise<number>;
}

const actions: Readonly<Record<string, Action>> = {
  list: { about: 'List the patches in the order in which they are applied.', run: list },
  status: {
    about: 'Show which patches apply to the CLI and whether the copy exists; writes nothing.',
    run: async (flags, context) => show(await plan(flags, context, 'status'), flags, context),
  },
  apply: {
    about: 'Create the patched copy.',
    run: async (flags, context) => show(await plan(flags, context, 'apply'), flags, context),
  },
  verify: { about: 'Create the patched copy, start it and test each patch.', run: verify },
};

async function list({ folder, json }: PatchFlags, { writeOut, cwd }: CommandContext): Promise<number> {
  const { builtinPatches, loadPatches, orderPatches } = await import('../../host/patches/registry.js');
  const own: readonly Patch[] = folder === undefined ? [] : await loadPatches(resolve(cwd, folder));
  const patches = orderPatches([...builtinPatches, ...own]).map(
    ({ id, description, priority = 100, required = false, serves = [] }) => ({
      id,
      description,
      priority,
      required,
      serves,
    }),
  );
  writeOut(json === true ? `${JSON.stringify({ schema: 1, patches })}\n` : listText(patches));
  return EXIT_OK;
}

async function plan(
  { cli, folder }: PatchFlags,
  { cwd, env, platform }: CommandContext,
  step: 'status' | 'apply',
): Promise<PatchPlan> {
  const search = findCli({ cli, cwd });
  if (search.error !== undefined) throw search.error;
  const { planPatches, preparePatchedCli } = await import('../../host/patches/prepare.js');
  const prepare = step === 'apply' ? preparePatchedCli : planPatches;
  return prepare(search.found.path, {
    folder: folder === undefined ? undefined : resolve(cwd, folder),
    cacheFolder: cacheFolder(env, platform),
  });
}

function show(planned: PatchPlan, { json }: PatchFlags, context: CommandContext): number {
  const exitCode = planned.reports.every(({ success }) => success) ? EXIT_OK : EXIT_CHECK_FAILED;
  context.writeOut(
    json === true
      ? `${JSON.stringify({ schema: 1, exitCode, ...planned })}\n`
      : planText(planned, looked(context)),
  );
  return exitCode;
}

async function verify(flags: PatchFlags, context: CommandContext): Promise<number> {
  const planned = await plan(flags, context, 'apply');
  const { verifyCopy } = await import('./verify.js');
  const verdicts = await verifyCopy(planned);
  const right = verdicts.every(({ ok }) => ok) && planned.reports.every(({ success }) => success);
  const exitCode = right ? EXIT_OK : EXIT_CHECK_FAILED;
  context.writeOut(
    flags.json === true
      ? `${JSON.stringify({ schema: 1, exitCode, ...planned, verdicts })}\n`
      : `${planText(planned, looked(context))}\n${verdictsText(verdicts, looked(context))}`,
  );
  return exitCode;
}

function looked({ outIsTty, env, platform }: CommandContext) {
  return lookFor({ isTty: outIsTty, env, platform });
}

/** A patch as it is listed. */
interface ListedPatch {
  readonly id: string;
  readonly description: string;
  readonly priority: number;
  readonly required: boolean;
}

/** The patches for people, in order. */
function listText(patches: readonly ListedPatch[]): string {
  const lines = patches.map(
    ({ id, description, priority, required }) =>
      `${String(priority).padStart(4)}  ${id}${required ? ' (required)' : ''}: ${plain(description)}`,
  );
  return `${lines.join('\n')}\n`;
}

/** What patching does, for people. */
function planText({ from, version, path, written, reports }: PatchPlan, look: Look): string {
  const lines = [
    `CLI ${look.bold(plain(from))}, version ${version ?? 'unknown'}`,
    `copy ${plain(path)}${written ? '' : ' (does not exist yet: run coxswain patch apply)'}`,
    '',
    ...reports.map(({ id, success, details }) =>
      signed(success, `${id}: ${plain(details.join('; '))}`, look),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** What the probes found, for people. */
function verdictsText(verdicts: readonly PatchVerdict[], look: Look): string {
  const lines = verdicts.map(({ patch, what, ok, seen }) =>
    signed(ok, `${patch}: ${what} (${plain(seen)})`, look),
  );
  return `Tried on the running copy:\n${lines.join('\n')}\n`;
}

function signed(good: boolean, text: string, look: Look): string {
  return `${good ? look.green(look.good) : look.red(look.bad)} ${text}`;
}
