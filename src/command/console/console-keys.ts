import { join, resolve } from 'node:path';
import type { Role } from '../../entry/remote/contract.js';
import type { Key } from '../../server/console/keys/key.js';
import { KeyFile } from '../../server/console/keys/key-file.js';
import { LastUses, USES_FILE } from '../../server/console/keys/last-uses.js';
import { LOGINS_FILE, Logins } from '../../server/console/keys/logins.js';
import { stateFolder } from '../../server/console/state-folder.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_FAILED, EXIT_OK } from '../exit-codes.js';

/** Where keys are kept. */
export interface KeyFlags {
  readonly state?: string;
}

/** How to create a key. */
export interface NewKeyFlags extends KeyFlags {
  readonly role: Role;
  /** In days. */
  readonly expires?: number;
}

const DAY_MS = 24 * 3_600_000;

/** Creates a key and prints its token, which is shown only once. */
export function addKey(
  name: string,
  { role, expires, ...flags }: NewKeyFlags,
  context: CommandContext,
): number {
  const expiresAt = expires === undefined ? undefined : Date.now() + expires * DAY_MS;
  const token = fileIn(flags, context).add(name, role, expiresAt);
  context.writeOut(`${token}\n`);
  context.writeErr(
    `Token for "${name}" (${role}). It is not shown again. Open the console's address in a browser and enter it there.\n`,
  );
  return EXIT_OK;
}

/** Lists the keys. */
export function listKeys(flags: KeyFlags, context: CommandContext): number {
  const folder = folderOf(flags, context);
  const { all } = new KeyFile(folder);
  const usedAt = lastUses(folder);
  for (const key of all) context.writeOut(`${keyLine(key, usedAt(key))}\n`);
  if (all.length === 0) context.writeErr('No keys yet. The console also creates its own at each start.\n');
  return EXIT_OK;
}

/** Revokes a key: a running console closes its connections within a second or two. */
export function removeKey(name: string, flags: KeyFlags, context: CommandContext): number {
  if (fileIn(flags, context).remove(name)) return EXIT_OK;
  context.writeErr(`There is no key "${name}".\n`);
  return EXIT_FAILED;
}

function fileIn(flags: KeyFlags, context: CommandContext): KeyFile {
  return new KeyFile(folderOf(flags, context));
}

function folderOf({ state }: KeyFlags, { cwd, env }: CommandContext): string {
  return state === undefined ? stateFolder(env) : resolve(cwd, state);
}

/** When a key was last used, by a program or by a browser that signed in with it; a running console is a minute ahead. */
function lastUses(folder: string): (key: Key) => number | undefined {
  const uses = new LastUses(join(folder, USES_FILE));
  const logins = new Logins(join(folder, LOGINS_FILE)).all(Date.now());
  return ({ hash }) => {
    const own = logins.filter(({ key }) => key === hash).map((login) => login.hash);
    const times = [hash, ...own].flatMap((each) => uses.find(each)?.at ?? []);
    return times.length === 0 ? undefined : Math.max(...times);
  };
}

function keyLine({ name, role, createdAt, expiresAt }: Key, usedAt: number | undefined): string {
  const isOver = expiresAt !== undefined && expiresAt <= Date.now();
  const end =
    expiresAt === undefined ? 'never expires' : `${isOver ? 'expired' : 'expires'} ${day(expiresAt)}`;
  const used = usedAt === undefined ? 'never used' : `used ${day(usedAt)}`;
  return [name, role, `made ${day(createdAt)}`, end, used].join('\t');
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
