import type { WireObject } from '../../wire/protocol/frames.js';
import type { ItemChange, TaskItem, ToolItem } from '../../wire/protocol/reading/items.js';
import { MessageFold } from '../../wire/protocol/reading/message-fold.js';
import { totalTokens } from '../../wire/protocol/reading/token-count.js';
import { toolLabel } from '../../wire/protocol/tool-label.js';
import { plainLine } from '../../wire/util/plain.js';

/** Follows a conversation through its messages, for a status line. */
export class TurnView {
  readonly #fold = new MessageFold();
  /** The tokens of each call to the model in this turn. */
  readonly #tokens = new Map<string, number>();

  /** Input and output tokens of the running turn, as far as the CLI has reported them. */
  get tokens(): number {
    let sum = 0;
    for (const count of this.#tokens.values()) sum += count;
    return sum;
  }

  /** The running tool call, the newest one if there are several. */
  get tool(): string | undefined {
    const call = this.#fold.running.at(-1);
    return call === undefined ? undefined : labelOf(call);
  }

  /** Whether only shells run in the background: a server may never end, but an agent produces an answer. */
  get onlyShellsLeft(): boolean {
    return this.#fold.tasks.length > 0 && this.#agent === undefined;
  }

  get #agent(): TaskItem | undefined {
    return this.#fold.tasks.find(({ type = '' }) => !/bash|shell/.test(type));
  }

  /** What the CLI is doing, in words. */
  get busyWith(): string {
    const { retry, isCompacting } = this.#fold;
    if (retry !== undefined) return `the API (${plainLine(retry.error, 60)}), trying again`;
    if (isCompacting) return 'the CLI to compact the conversation';
    if (this.tool !== undefined) return this.tool;
    const agent = this.#agent;
    return agent === undefined ? 'the model' : `background work: ${plainLine(agent.description, 60)}`;
  }

  /** What a message changes. */
  note(message: WireObject): readonly ItemChange[] {
    const changes = this.#fold.take(message);
    for (const { item } of changes) {
      if (item.kind === 'answer') this.#tokens.set(item.id, totalTokens(item.tokens));
      if (item.kind === 'turn-end') this.#tokens.clear();
    }
    return changes;
  }
}

/** Tool calls that begin, in words; questions to a person are shown separately. */
export function toolCallsIn(changes: readonly ItemChange[]): readonly string[] {
  return changes.flatMap(({ item }) =>
    item.kind === 'tool' && item.state === 'running' && item.name !== 'AskUserQuestion'
      ? [labelOf(item)]
      : [],
  );
}

function labelOf({ name, input }: ToolItem): string {
  return toolLabel(name, input);
}
