import type { OpenParams, SessionSummary } from '../../../entry/remote/contract.js';
import { projectsFolder } from '../../../host/transcripts/project-folders.js';
import { sessionMessages } from '../../../host/transcripts/session-messages.js';
import { errorText } from '../../../wire/util/error-text.js';
import type { ReceivedCommand } from '../../console/commands/command.js';
import type { TranscriptIds } from '../../conversation/logged-messages.js';
import type { Engine } from '../engine/engine.js';
import { fenced, lastEpoch } from '../engine/epochs.js';
import type { FleetRecord } from '../record.js';
import { ObjectTranscripts } from '../transcripts/object-transcripts.js';
import { StoredTranscripts } from '../transcripts/stored-transcripts.js';
import type { TranscriptPlace, TranscriptStore } from '../transcripts/transcript-store.js';
import { type WorkspacePolicy, workspacePolicy } from '../workspaces/workspace-policy.js';
import { folderId } from './folder-id.js';
import type { WorkerOptions } from './worker-options.js';
import type { OwnedSession } from './worker-source.js';

/** A conversation, and this worker's epoch for it. */
interface Owned {
  readonly id: string;
  readonly epoch: number;
}

/** A command, as a gateway sends it. */
export interface FleetCommand extends ReceivedCommand {
  /** The session whose conversation is resumed or forked. */
  readonly source?: string | undefined;
}

/** The conversation's new folder, and what is missing there. */
interface Restored {
  readonly cwd: string;
  readonly problem: string | undefined;
}

/** The parts of a conversation on its worker's disk that the next worker needs: transcript and workspace. */
export class CarriedState {
  readonly #engine: Engine;
  readonly #transcripts: TranscriptStore;
  readonly #workspaces: WorkspacePolicy;
  readonly #configDir: string | undefined;
  /** Each conversation's activity at the last check. */
  readonly #states = new Map<string, string>();

  constructor(engine: Engine, options: WorkerOptions) {
    this.#engine = engine;
    const { transcripts, workspaces = 'none', configDir } = options;
    this.#transcripts =
      transcripts === undefined
        ? new ObjectTranscripts(engine.transcripts)
        : new StoredTranscripts(transcripts);
    this.#workspaces = workspacePolicy(workspaces);
    this.#configDir = configDir;
  }

  /** Decides which folder a new conversation works in, and fetches the transcript that it continues from. */
  async opening(command: FleetCommand, { id, epoch }: Owned): Promise<ReceivedCommand> {
    if (command.name !== 'open') return command;
    const params = command.params as OpenParams;
    const { cwd } = await this.#workspaces.prepare({ session: id, cwd: params.cwd, epoch });
    const { source } = command;
    const { resume: conversation } = params;
    if (source !== undefined && conversation !== undefined)
      await this.#transcripts.restore(this.#place({ conversation, cwd }, { id: source, epoch }));
    return cwd === params.cwd ? command : { ...command, params: { ...params, cwd } };
  }

  /** Fetches what another worker has saved. A conversation that cannot be fetched completely continues anyway, and says so. */
  async restore(summary: SessionSummary, { id, epoch }: Owned): Promise<Restored> {
    const { conversation } = summary;
    let { cwd } = summary;
    try {
      ({ cwd } = await this.#workspaces.prepare({ session: id, cwd, epoch }));
      if (conversation !== undefined)
        await this.#transcripts.restore(this.#place({ conversation, cwd }, { id, epoch }));
      return { cwd, problem: undefined };
    } catch (error) {
      return {
        cwd,
        problem: `Some of the state saved by the previous worker could not be restored: ${errorText(error)}`,
      };
    }
  }

  /** The disk of the transcripts here; undefined if there are none. */
  get disk(): string | undefined {
    return folderId(projectsFolder({ configDir: this.#configDir }));
  }

  /**
   * The ids of a conversation's messages, according to its transcript. What another worker has saved is as old as its
   * last turn; a disk that its CLI wrote to has everything.
   */
  async messageIds({ summary, disk }: FleetRecord, cwd: string): Promise<TranscriptIds | undefined> {
    const { conversation } = summary;
    if (conversation === undefined) return undefined;
    const read = sessionMessages(conversation, { dir: cwd, configDir: this.#configDir });
    const messages = await read.catch(() => []);
    const ids = new Set(messages.map(({ uuid }) => uuid));
    return { ids, isWhole: ids.size > 0 && disk !== undefined && disk === this.disk };
  }

  /** Called when a summary has changed: saves everything after a turn. */
  changed(session: OwnedSession, owned: Owned): void {
    const before = this.#states.get(session.id);
    this.#states.set(session.id, session.state);
    if (session.state === 'idle' && before === 'running') void this.save(session, owned);
  }

  /** Saves everything. Failures are reported in the conversation. */
  async save(session: OwnedSession, { id, epoch }: Owned): Promise<void> {
    try {
      await this.#save(session.summary, { id, epoch });
    } catch (error) {
      session.note(
        'warning',
        'FLEET_NOT_SAVED',
        `Saving failed; another worker could not continue from this turn: ${errorText(error)}`,
      );
    }
  }

  /** Saves what an earlier worker of this machine left, as far as possible. */
  async saveLeft(summary: SessionSummary, owned: Owned): Promise<void> {
    await this.#save(summary, owned).catch(() => {});
  }

  /** Forgets a conversation that this worker no longer owns. */
  forget(id: string): void {
    this.#states.delete(id);
  }

  /** Deletes everything that was saved of a conversation. */
  async remove(id: string, conversation: string | undefined): Promise<void> {
    this.forget(id);
    if (conversation !== undefined) await this.#transcripts.remove({ session: id, conversation });
    await this.#workspaces.remove({ session: id });
  }

  async #save({ conversation, cwd }: SessionSummary, { id, epoch }: Owned): Promise<void> {
    // What was removed with the conversation does not say that there is another owner, and a store of yours never does.
    if ((await lastEpoch(this.#engine, id))?.sequence !== epoch) throw fenced(id, undefined);
    if (conversation !== undefined)
      await this.#transcripts.save(this.#place({ conversation, cwd }, { id, epoch }));
    await this.#workspaces.checkpoint({ session: id, cwd, epoch });
  }

  /** Deletes what earlier workers of this machine still have of conversations that were removed since. */
  async clean(): Promise<void> {
    await this.#workspaces.clean(async (id) => (await lastEpoch(this.#engine, id)) === undefined);
  }

  #place(
    { conversation, cwd }: { readonly conversation: string; readonly cwd: string },
    { id, epoch }: Owned,
  ): TranscriptPlace {
    return { session: id, conversation, cwd, configDir: this.#configDir, epoch };
  }
}
