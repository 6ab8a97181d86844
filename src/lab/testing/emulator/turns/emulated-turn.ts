import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { HostMessage } from '../../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../../wire/protocol/frames.js';

/** A user message that waits for its turn. */
export interface QueuedMessage {
  readonly uuid: string | undefined;
  readonly text: string;
  readonly raw: HostMessage<'user'>;
}

/** The message of the model that is being said; its blocks share the id. */
export interface OpenMessage {
  readonly id: string;
  blocks: number;
}

/** A sub-agent, which has turns of its own inside of a tool call. */
export interface AgentIdentity {
  readonly id: string;
  readonly type: string;
  readonly toolUseId: string;
  /** Whether the host hears what it says, beside the tools that it uses. */
  readonly isHeard: boolean;
}

/** How a turn came about. */
export interface TurnOptions {
  readonly agent?: AgentIdentity;
  readonly taskRunId?: string;
  readonly isDeferred?: boolean;
}

/** One turn that runs: what it answers and what it has done so far. */
export class Turn {
  /** Empty for a turn that nobody asked for. */
  readonly messages: readonly QueuedMessage[];
  readonly startedAt: number;
  readonly denials: WireObject[] = [];
  /** What hook inputs call this turn. */
  readonly promptId = randomUUID();
  readonly #controller = new AbortController();
  openMessage: OpenMessage | undefined;
  /** What the model said last; the result repeats it. */
  lastText = '';
  modelCalls = 0;
  /** Whether the first assistant message was sent, which alone names the user's message. */
  spoke = false;
  /** How many tools are being used, which words the note of an interrupt. */
  toolsInUse = 0;
  /** Whether results are held back, since further messages of the same turn are still to be answered. */
  holdsResult = false;
  /** Whether its result says that it went wrong. */
  failed = false;
  /** Whether the result was sent. */
  over = false;
  /** Whether a hook or a denial asked that the turn ends before the next model call. */
  stopped: string | undefined;
  /** The agent whose turn it is; undefined for those of the conversation. */
  readonly agent: AgentIdentity | undefined;
  /** What the model is to hear from hooks with its next call. */
  readonly context: string[] = [];
  /** The output in the form that the host asked for. */
  structuredOutput: WireObject | undefined;
  /** How often the model gave output that has not that form. */
  badOutputs = 0;
  /** Lets the model go on when a hook does not let it stop; undefined where no model is called. */
  goOn: ((reason: string) => Promise<void>) | undefined;
  /** The run of the task whose end began this turn. */
  readonly taskRunId: string | undefined;
  /** Whether it makes a call that was put off. */
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
