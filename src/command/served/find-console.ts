import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type ConsoleAddress, ConsoleClient } from '../../entry/remote/console-client.js';
import type { Role } from '../../entry/remote/contract.js';
import type { ServerLink } from '../../entry/remote/remote-transport.js';
import { KeyFile } from '../../server/console/keys/key-file.js';
import { runningConsoles } from '../../server/console/running-file.js';
import type { Conversations } from '../../server/console/service/conversations.js';
import { remoteConversations } from '../../server/console/service/remote-conversations.js';
import { stateFolder } from '../../server/console/state-folder.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { CommandContext } from '../command-context.js';

/** Which console a command is for. */
export interface ConsoleChoice {
  /** Its address, with or without a token. */
  readonly url?: string;
  /** Its state folder. */
  readonly state?: string;
}

/** The options of every command that talks to a console. */
export const CONSOLE_OPTIONS = [
  ['--url <address>', "the console's address; set its token in COXSWAIN_TOKEN"],
  ['--state <folder>', "the console's state folder (default: in $XDG_STATE_HOME)"],
] as const;

/** Their descriptions in each command's help. */
export const CONSOLE_HELP = `
Keep the token out of the address: every user of this machine can read a command line.
Your running console on this machine is found through its state folder. With COXSWAIN_TOKEN the command uses that key;
otherwise it creates one in the state folder and revokes it on exit.`;

/** A connection to a console. */
export interface FoundConsole extends AsyncDisposable {
  readonly conversations: Conversations;
  /** To follow one conversation at the reader's pace. */
  readonly link: ServerLink;
  /** For further connections. */
  readonly address: ConsoleAddress;
}

/** Connects to the chosen console, and waits for its session list. */
export async function connectConsole(
  choice: ConsoleChoice,
  role: Role,
  context: CommandContext,
  name = 'coxswain in a terminal',
): Promise<FoundConsole> {
  const { withdraw, ...found } = findAddress(choice, role, context);
  const address = { ...found.address, name };
  const client = new ConsoleClient(address, context.clock);
  const dispose = async () => {
    await client.close();
    withdraw();
  };
  try {
    await client.ready;
    await client.listed;
    const conversations = remoteConversations(client, address);
    return { conversations, link: client, address, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

interface Found {
  readonly address: ConsoleAddress;
  /** The key created for this command is no longer needed. */
  readonly withdraw: () => void;
}

function findAddress({ url, state }: ConsoleChoice, role: Role, { cwd, env }: CommandContext): Found {
  const { COXSWAIN_TOKEN: token } = env;
  if (url !== undefined && !token && URL.canParse(url) && !url.includes('token='))
    throw new CoxswainError('OPTION_INVALID', 'No token for this console: set COXSWAIN_TOKEN.');
  if (url !== undefined) return { address: { url, token: token || undefined }, withdraw: () => {} };
  const folder = state === undefined ? stateFolder(env) : resolve(cwd, state);
  const running = runningConsoles(folder);
  const [found] = running;
  if (found === undefined)
    throw new CoxswainError('CONSOLE_NOT_FOUND', `No console is running with the state folder ${folder}.`);
  if (running.length > 1) {
    const all = running.map(({ origin, pid }) => `${origin} (process ${pid})`).join(', ');
    throw new CoxswainError(
      'CONSOLE_NOT_FOUND',
      `Several consoles are running: ${all}. Choose one with --url.`,
    );
  }
  if (token) return { address: { url: found.origin, token }, withdraw: () => {} };
  const key = makeKey(new KeyFile(folder), role);
  return { address: { url: found.origin, token: key.token }, withdraw: key.withdraw };
}

const PREFIX = 'command-';
/** A killed command cannot revoke its key, but nobody has its token then. */
const LONGEST_MS = 24 * 3_600_000;

function makeKey(file: KeyFile, role: Role): { readonly token: string; readonly withdraw: () => void } {
  const now = Date.now();
  const left = file.all.filter(({ name, expiresAt }) => name.startsWith(PREFIX) && (expiresAt ?? now) < now);
  for (const { name } of left) file.remove(name);
  const name = `${PREFIX}${process.pid}-${randomBytes(3).toString('hex')}`;
  return { token: file.add(name, role, now + LONGEST_MS), withdraw: () => void file.remove(name) };
}
