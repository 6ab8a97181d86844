import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { checkScript } from '../../lab/testing/model/check-script.js';
import { isSideCall, type ModelRequest } from '../../lab/testing/model/request.js';
import { echoScript, type Script } from '../../lab/testing/model/script.js';
import { scriptModel } from '../../lab/testing/model/script-model.js';
import type { ScriptedModel } from '../../lab/testing/model/scripted-model.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_CHECK_FAILED, EXIT_OK } from '../exit-codes.js';
import { parsePort } from '../parse.js';
import { jsonPrinter, type ModelPrinter, textPrinter } from './model-printer.js';

interface ModelFlags {
  readonly port?: number;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** `coxswain script-model`: serves a scripted model on loopback until it is stopped. */
export function modelCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('script-model')
    .argument('[script]', 'a script in JSON (default: the model repeats its input)')
    .option('-p, --port <number>', 'the port to listen on (default: a free one)', parsePort)
    .option('--json', 'print one JSON object per line on stdout')
    .option('-v, --verbose', 'print more about each request')
    .addHelpText('after', HELP)
    .action(async (script: string | undefined, flags: ModelFlags) => {
      setExitCode(await serveModel(script, flags, context));
    });
}

const HELP = `
The address and the environment variables for a CLI go to stdout, each request to stderr.
Press Ctrl-C to stop and print a summary. Exit codes: 0, or 10 if the script did not run as written.

A script is a list of steps:
  [
    { "when": "hello", "reply": { "type": "tool_use", "name": "Bash", "input": { "command": "ls" } } },
    { "when": { "toolResult": "README" }, "reply": { "type": "text", "text": "There is a README." } },
    { "reply": { "error": 429, "retryAfter": 1 } },
    { "type": "text", "text": "any request gets this" }
  ]`;

async function serveModel(
  path: string | undefined,
  { port, json = false, verbose = false }: ModelFlags,
  context: CommandContext,
): Promise<number> {
  const script = path === undefined ? echoScript : await readScript(resolve(context.cwd, path));
  const ending = context.untilSignal();
  const printer = json ? jsonPrinter(context) : textPrinter(context, verbose);
  const counts = new Map<string, number>();
  await using model = await scriptModel(script, {
    ...(port === undefined ? {} : { port }),
    ...(path === undefined ? { isSideCall: isSideCallOfEcho } : {}),
    onRequest: (request) => {
      counts.set(request.kind, (counts.get(request.kind) ?? 0) + 1);
      printer.request(request);
    },
  });
  printer.listening(model.url);
  await ending;
  return summarise(model, printer, counts);
}

/** The echo answers anything, so conversations without tools get an answer too. */
function isSideCallOfEcho(request: ModelRequest): boolean {
  return isSideCall(request, () => true);
}

function summarise(model: ScriptedModel, printer: ModelPrinter, counts: ReadonlyMap<string, number>): number {
  printer.summary({ counts: Object.fromEntries(counts), finished: model.finished, report: model.report() });
  return model.finished ? EXIT_OK : EXIT_CHECK_FAILED;
}

async function readScript(path: string): Promise<Script> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new CoxswainError('OPTION_INVALID', `The script ${path} cannot be read.`, { cause: error });
  }
  return checkScript(value);
}
