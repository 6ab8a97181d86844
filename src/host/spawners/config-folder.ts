import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { SpawnRequest } from '../cli/spawner.js';
import { projectKeyOf } from '../transcripts/project-folders.js';

/** What a sandboxed CLI sees of the user's config folder. */
export interface ConfigView {
  readonly folder: string;
  /** What it must find again: the transcripts of its working folder, and copies of the files that it changed. */
  readonly kept: readonly string[];
  /** What it reads. */
  readonly read: readonly string[];
}

/** What it reads there; not all of it exists. */
export function readInConfig(folder: string): readonly string[] {
  return READ.map((name) => join(folder, name));
}

const READ = ['settings.json', 'CLAUDE.md', 'agents', 'commands', 'skills', 'plugins', 'output-styles'];

/** Creates the folders that a CLI writes to, so that they can be mounted. */
export function configView(folder: string, { cwd, conversation }: SpawnRequest): ConfigView {
  const kept = [
    join(folder, 'projects', projectKeyOf(realpathSync(cwd))),
    ...(conversation === undefined ? [] : [join(folder, 'file-history', conversation)]),
  ];
  for (const each of kept) mkdirSync(each, { recursive: true, mode: 0o700 });
  return { folder, kept, read: readInConfig(folder) };
}
