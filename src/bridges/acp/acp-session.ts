import type {
  AgentContext,
  ContentBlock,
  EmbeddedResource,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk';
import type { PromptResponse } from '@agentclientprotocol/sdk/unstable';
import type { AnyPrompt } from '../../host/session/prompts/open-prompts.js';
import { ToolPrompt } from '../../host/session/prompts/tool-prompt.js';
import type { TurnOutcome } from '../../host/session/turns/outcome.js';
import type { Turn } from '../../host/session/turns/turn.js';
import type { UserInput } from '../../host/session/turns/user-message.js';
import type { SessionMessage } from '../../host/transcripts/transcript-types.js';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import { systemClock, within } from '../../wire/util/clock.js';
import type { ClientAbilities } from './client-abilities.js';
import { ConversationReader } from './conversation-reader.js';
import { misuse, turnFailure } from './failures.js';
import type { KeptSession } from './kept-sessions.js';
import { MessageUpdates } from './message-updates.js';
import type { Talk } from './open-sessions.js';
import { PromptRelay } from './prompt-relay.js';
import type { SessionSettings } from './session-settings.js';
import { promptUsage } from './usage-update.js';

/** The parts of a client's session. */
export interface AcpSessionParts {
  readonly id: string;
  readonly cwd: string;
  readonly talk: Talk;
  readonly client: AgentContext;
  readonly abilities: ClientAbilities;
  readonly settings: SessionSettings;
  /** Its transcript on disk. */
  readonly describe: () => Promise<KeptSession | undefined>;
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal;
}

/** How long a client may take to read what came before the end of a turn or a prompt. */
const CATCH_UP_MS = 30_000;

/** A conversation as one client sees it. */
export class AcpSession {
  readonly settings: SessionSettings;
  readonly #parts: AcpSessionParts;
  readonly #updates: MessageUpdates;
  readonly #reader: ConversationReader;
  readonly #relay: PromptRelay;
  readonly #stops: (() => void)[];
  readonly #turns = new Set<Turn>();
  #hasTitle = false;
  /** Turns that the client wants to end. */
  readonly #cancelled = new WeakSet<Turn>();

  constructor(parts: AcpSessionParts) {
    this.#parts = parts;
    this.settings = parts.settings;
    const { id, cwd, talk, client, abilities, gone } = parts;
    this.#updates = new MessageUpdates({ cwd, abilities });
    this.#reader = new ConversationReader(talk, (message) => this.#take(message));
    const caughtUp = async (prompt: AnyPrompt) => {
      await this.#caughtUp();
      if (prompt instanceof ToolPrompt && prompt.origin.toolUseId !== undefined)
        await this.#send(this.#updates.announce(prompt.origin.toolUseId, prompt.tool, prompt.input));
    };
    this.#relay = new PromptRelay({ sessionId: id, cwd, client, abilities, caughtUp, gone });
    this.#stops = [talk.on('prompt', (change) => this.#relay.changed(change))];
    for (const prompt of talk.prompts.open) void this.#relay.ask(prompt);
  }

  get talk(): Talk {
    return this.#parts.talk;
  }

  /** Sends the client the slash commands. */
  async tellCommands(): Promise<void> {
    const availableCommands = this.settings.commands.map(({ name, description, argumentHint }) => ({
      name,
      description: description ?? '',
      ...(argumentHint ? { input: { hint: argumentHint } } : {}),
    }));
    await this.#send([{ sessionUpdate: 'available_commands_update', availableCommands }]);
  }

  /** Sends the client the earlier messages. */
  async replay(messages: readonly SessionMessage[]): Promise<void> {
    for (const { type, message, parent_tool_use_id, isCompactSummary } of messages) {
      if (isCompactSummary === true || !isObject(message)) continue;
      if (type === 'user' && parent_tool_use_id === null)
        await this.#send(this.#updates.person(message.content));
      await this.#send(this.#updates.of({ type, message, parent_tool_use_id }));
    }
  }

  /** Sends a message; resolves when its turn has ended and the client has received all of it. */
  async prompt(prompt: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const turn = this.talk.send(userInput(prompt));
    this.#turns.add(turn);
    // The signal also aborts when the client disconnects: then the host owns the turn.
    const stop = () => setImmediate(() => void (this.#parts.gone.aborted || this.#stop(turn)));
    signal.addEventListener('abort', stop);
    try {
      const outcome = await turn.outcome;
      await this.#caughtUp();
      await this.#tellTitle();
      return {
        stopReason: this.#cancelled.has(turn) ? 'cancelled' : stopReason(outcome),
        ...(outcome.usage === undefined ? {} : { usage: promptUsage(outcome.usage) }),
      };
    } finally {
      signal.removeEventListener('abort', stop);
      this.#turns.delete(turn);
    }
  }

  /** Ends the turns that the client started; those of others continue. */
  async cancel(): Promise<void> {
    await Promise.all([...this.#turns].map((turn) => this.#stop(turn)));
  }

  /** The mode or another setting changed. */
  async tellSettings(): Promise<void> {
    await this.#send([
      { sessionUpdate: 'current_mode_update', currentModeId: this.settings.modes.currentModeId },
      { sessionUpdate: 'config_option_update', configOptions: this.settings.options },
    ]);
  }

  /** Releases the conversation; it continues for others. */
  leave(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#reader.leave();
  }

  /** The title of the session in lists, once there is one. */
  async #tellTitle(): Promise<void> {
    if (this.#hasTitle) return;
    const info = await this.#parts.describe().catch(() => undefined);
    if (info === undefined) return;
    this.#hasTitle = true;
    const updatedAt = new Date(info.lastModified).toISOString();
    await this.#send([{ sessionUpdate: 'session_info_update', title: info.summary, updatedAt }]);
  }

  async #stop(turn: Turn): Promise<void> {
    this.#cancelled.add(turn);
    await turn.stop();
  }

  async #caughtUp(): Promise<void> {
    await within(this.#reader.caughtUp(), CATCH_UP_MS, systemClock);
  }

  async #take(message: WireObject): Promise<void> {
    await this.#send(this.#updates.of(message));
    if (this.settings.note(message)) await this.tellSettings();
    if (this.settings.noteCommands(message)) await this.tellCommands();
  }

  async #send(updates: readonly SessionUpdate[]): Promise<void> {
    const { client, id, gone } = this.#parts;
    for (const update of updates) {
      if (gone.aborted) return;
      // A client that has disconnected gets nothing more.
      await client.notify('session/update', { sessionId: id, update }).catch(() => {});
    }
  }
}

function stopReason(outcome: TurnOutcome): StopReason {
  switch (outcome.kind) {
    case 'success':
      return SUCCESSES[String(outcome.result?.stop_reason)] ?? 'end_turn';
    case 'max-turns':
    case 'budget':
      return 'max_turn_requests';
    case 'interrupted':
    case 'cancelled':
    case 'aborted':
    case 'closed':
      return 'cancelled';
    default:
      throw turnFailure(outcome);
  }
}

const SUCCESSES: Readonly<Record<string, StopReason>> = { max_tokens: 'max_tokens', refusal: 'refusal' };

/** A client's prompt as a message to the CLI. A single text stays a string: otherwise slash commands do not work. */
function userInput(prompt: readonly ContentBlock[]): UserInput {
  const blocks = prompt.flatMap((block) => promptBlocks(block));
  const [first, ...others] = blocks;
  if (first === undefined) throw misuse('The prompt is empty.');
  if (others.length === 0 && first.type === 'text' && typeof first.text === 'string') {
    if (first.text === '') throw misuse('The prompt is empty.');
    return first.text;
  }
  return blocks as readonly WireObject[] as UserInput;
}

function promptBlocks(block: ContentBlock): readonly WireObject[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [textBlock(block.text)];
    case 'image':
      return [picture(block.mimeType, block.data)];
    case 'resource_link':
      return [textBlock(`[${block.title ?? block.name}](${block.uri})`)];
    case 'resource':
      return resourceBlocks(block);
    default:
      throw misuse(`The agent does not accept ${block.type} in a prompt: see its promptCapabilities.`);
  }
}

function resourceBlocks({ resource }: EmbeddedResource): readonly WireObject[] {
  const { uri, mimeType } = resource;
  if ('text' in resource) return [textBlock(`<resource uri="${uri}">\n${resource.text}\n</resource>`)];
  if (mimeType?.startsWith('image/')) return [textBlock(uri), picture(mimeType, resource.blob)];
  if (mimeType === 'application/pdf') {
    const source = { type: 'base64', media_type: mimeType, data: resource.blob };
    return [textBlock(uri), { type: 'document', source }];
  }
  throw misuse(
    `The agent accepts texts, images and PDF documents as resources, not ${mimeType ?? 'bytes'}: ${uri}`,
  );
}

function textBlock(text: string): WireObject {
  return { type: 'text', text };
}

function picture(mediaType: string, data: string): WireObject {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}
