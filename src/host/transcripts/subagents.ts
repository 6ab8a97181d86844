import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { stringIn, type WireObject } from '../../wire/protocol/frames.js';
import { OptionError } from '../../wire/util/option-checks.js';
import { parsed, readEnds } from './ends.js';
import { type FoundTranscript, findTranscript } from './find-transcript.js';
import { asSessionId } from './session-id.js';
import { readMessages } from './session-messages.js';
import { fileSource, storeSource, type TranscriptSource } from './source.js';
import { keyIn } from './store-access.js';
import type { Page, SessionMessage, SessionPlace } from './transcript-types.js';

/** The transcript of a subagent on disk. */
export interface FoundSubagent {
  readonly agentId: string;
  readonly file: string;
  /** Where it belongs in a store. */
  readonly subpath: string;
}

/** The ids of the subagents that a session started.
 * @throws OptionError for a store that cannot list them. */
export async function listSubagents(sessionId: string, options: SessionPlace = {}): Promise<string[]> {
  const id = asSessionId(sessionId);
  if (id === undefined) return [];
  if (options.sessionStore !== undefined)
    return (await storedSubagents(id, options)).map(({ agentId }) => agentId);
  const found = await findTranscript(id, options);
  return found === undefined ? [] : (await subagentsOf(found)).map(({ agentId }) => agentId);
}

/** Returns the messages of a subagent in order; none if there is no such subagent. */
export async function subagentMessages(
  sessionId: string,
  agentId: string,
  options: SessionPlace & Page = {},
): Promise<SessionMessage[]> {
  const id = asSessionId(sessionId);
  const opened = id === undefined ? undefined : await openSubagent(id, agentId, options);
  if (id === undefined || opened === undefined) return [];
  await using transcript = opened.source;
  const { toolUseId, parentAgentId } = opened.about;
  return await readMessages(transcript, {
    page: options,
    belongs: () => true,
    shows: ({ type }) => type === 'user' || type === 'assistant',
    facts: { sessionId: id, toolUseId: stringIn(toolUseId), parentAgentId: stringIn(parentAgentId) },
  });
}

interface OpenedSubagent {
  readonly source: TranscriptSource;
  /** The CLI's notes about it: what started it, and who. */
  readonly about: WireObject;
}

async function openSubagent(
  sessionId: string,
  agentId: string,
  options: SessionPlace,
): Promise<OpenedSubagent | undefined> {
  if (options.sessionStore !== undefined) return openStored(sessionId, agentId, options);
  const found = await findTranscript(sessionId, options);
  // The id is compared with existing ones and never becomes part of a path.
  const agents = found === undefined ? [] : await subagentsOf(found);
  const agent = agents.find((each) => each.agentId === agentId);
  const source = agent === undefined ? undefined : await fileSource(agent.file);
  return agent === undefined || source === undefined ? undefined : { source, about: await metadataOf(agent) };
}

async function openStored(
  sessionId: string,
  agentId: string,
  options: SessionPlace,
): Promise<OpenedSubagent | undefined> {
  const agent = (await storedSubagents(sessionId, options)).find((each) => each.agentId === agentId);
  const source = agent === undefined ? undefined : await storeSource(options, sessionId, agent.subpath);
  if (source === undefined) return undefined;
  let about: WireObject = {};
  for await (const { entry } of source.entries()) if (entry.type === METADATA_TYPE) about = entry;
  return { source, about };
}

async function storedSubagents(
  sessionId: string,
  options: SessionPlace,
): Promise<readonly Pick<FoundSubagent, 'agentId' | 'subpath'>[]> {
  if (options.sessionStore?.listSubkeys === undefined) {
    throw new OptionError('sessionStore', 'The store cannot list subagents: it has no listSubkeys().');
  }
  const { projectKey } = keyIn(options, sessionId);
  const subpaths = await options.sessionStore.listSubkeys({ projectKey, sessionId });
  return subpaths.flatMap((subpath) => {
    const agentId = agentIdOf(subpath);
    return agentId === undefined ? [] : [{ agentId, subpath }];
  });
}

/** In a store, the CLI's notes about a subagent are an entry of its transcript. */
export const METADATA_TYPE = 'agent_metadata';

/** The CLI's notes about a subagent, from the file next to its transcript; none for old CLIs. */
export async function metadataOf({ file }: FoundSubagent): Promise<WireObject> {
  const text = await readFile(file.replace(/\.jsonl$/, '.meta.json'), 'utf8').catch(() => '');
  return parsed(text.trim()) ?? {};
}

/** The transcripts of a session's subagents, including those that old CLIs wrote to the project folder. */
export async function subagentsOf(found: FoundTranscript): Promise<readonly FoundSubagent[]> {
  const own = await subagentsIn(join(found.beside, 'subagents'), 'subagents');
  const old = await oldSubagents(found);
  return [...own, ...old.filter(({ agentId }) => !own.some((each) => each.agentId === agentId))];
}

async function subagentsIn(folder: string, subpath: string): Promise<readonly FoundSubagent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const files = entries
    .filter((entry) => entry.isFile())
    .flatMap(({ name }) => agentFile(folder, name, subpath));
  const folders = entries.filter((entry) => entry.isDirectory());
  const deeper = await Promise.all(
    folders.map(({ name }) => subagentsIn(join(folder, name), `${subpath}/${name}`)),
  );
  return [...files, ...deeper.flat()];
}

function agentFile(folder: string, name: string, subpath: string): readonly FoundSubagent[] {
  const agentId = name.endsWith('.jsonl') ? agentIdOf(name.slice(0, -'.jsonl'.length)) : undefined;
  if (agentId === undefined) return [];
  return [{ agentId, file: join(folder, name), subpath: `${subpath}/agent-${agentId}` }];
}

function agentIdOf(path: string): string | undefined {
  return /^agent-(.+)$/.exec(basename(path))?.[1];
}

/** The oldest CLIs wrote subagents next to the sessions; only their contents show whose they are. */
async function oldSubagents({ folder, sessionId }: FoundTranscript): Promise<readonly FoundSubagent[]> {
  const names = await readdir(folder).catch(() => []);
  const agents = names.flatMap((name) => agentFile(folder, name, 'subagents'));
  const mine: FoundSubagent[] = [];
  for (const agent of agents) {
    const ends = await readEnds(agent.file);
    if (ends?.first('sessionId') === sessionId) mine.push(agent);
  }
  return mine;
}
