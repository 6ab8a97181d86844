import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { HostMessage } from '../../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../../wire/protocol/frames.js';

/** A queued user message. */
export interface QueuedMessage {
  readonly uuid: string | undefined;
  readonly text: string;
  readonly raw: HostMessage<'user'>;
}

/** The model message being sent; its blocks share the id. */
export interface OpenMessage {
  readonly id: string;
  blocks: number;
}

/** A sub-agent, which has its own turns inside a tool call. */
export interface AgentIdentity {
  readonly id: string;
  readonly type: string;
  readonly toolUseId: string;
  /** Whether the host gets its text, in addition to its tool calls. */
  readonly isHeard: boolean;
}

/** How a turn started. */
export interface TurnOptions {
  readonly agent?: AgentIdentity;
  readonly taskRunId?: string;
  readonly isDeferred?: boolean;
}

/** A running turn: what it answers and what it has done so far. */
export class Turn {
  /** Empty for an unrequested turn. */
  readonly messages: readonly QueuedMessage[];
  readonly startedAt: number;
  readonly denials: WireObject[] = [];
  /** The turn's id in hook inputs. */
  readonly promptId = randomUUID();
  readonly #controller = new AbortController();
  openMessage: OpenMessage | undefined;
  /** The model's last text; the result repeats it. */
  lastText = '';
  modelCalls = 0;
  /** Whether the first assistant message was sent; only that one names the user's message. */
  spoke = false;
  /** How many tools are running, which determines the text of an interrupt's note. */
  toolsInUse = 0;
  /** Whether results are held back because more messages of the same turn are still to be answered. */
  holdsResult = false;
  /** Whether its result is an error. */
  failed = false;
  /** Whether the result was sent. */
  over = false;
  /** Whether a hook or a denial requested that the turn end before the next model call. */
  stopped: string | undefined;
  /** The agent of this turn; undefined for the main conversation. */
  readonly agent: AgentIdentity | undefined;
  /** What hooks tell the model with its next call. */
  readonly context: string[] = [];
  /** The output in the host's format. */
  structuredOutput: WireObject | undefined;
  /** How often the model returned invalid output. */
  badOutputs = 0;
  /** Lets the model continue if a hook does not let it stop; undefined if no model is called. */
  goOn: ((reason: string) => Promise<void>) | undefined;
  /** The run of the task whose end started this turn. */
  readonly taskRunId: string | undefined;
  /** Whether it makes a deferred call. */
  readonly isDeferred: boolean;

  constructor(
    messages: readonly QueuedMessage[],
    startedAt: number,
    { agent, taskRunId, isDeferred = false }: TurnOptions = {},
  ) {
    this.messages = messages;
    this.startedAt = startedAt;
    this.agent = agent;
    this.taskRunId = taskRunId;
    this.isDeferred = isDeferred;
    // Many hooks can wait for one turn at once.
    setMaxListeners(0, this.#controller.signal);
  }

  /** Aborted by an interrupt and by the end of the process. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get interrupted(): boolean {
    return this.signal.aborted;
  }

  get text(): string {
    return this.messages.map(({ text }) => text).join('\n');
  }

  get uuids(): readonly string[] {
    return this.messages.flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid]));
  }

  interrupt(): void {
    this.#controller.abort(new Error('the turn was interrupted'));
  }
}
