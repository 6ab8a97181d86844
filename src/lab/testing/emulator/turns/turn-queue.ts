import type { WireObject } from '../../../../wire/protocol/frames.js';
import { errorText } from '../../../../wire/util/error-text.js';
import { interruptNote, userMessage } from '../../builders/user.js';
import { isOwnCommand } from '../agent/commands.js';
import { DeferredCall } from '../agent/deferred-call.js';
import { fireHooks, type HookOutput } from '../asking/emulated-hooks.js';
import { connectForTurn } from '../asking/emulated-servers.js';
import type { Cli, InterruptReceipt, TaskNotice, TurnControl } from '../cli.js';
import { askModel } from '../steps/model-steps.js';
import { closeMessage } from '../steps/speech-steps.js';
import { perform } from '../steps/step.js';
import { type QueuedMessage, Turn } from './emulated-turn.js';
import { sendResult } from './result-message.js';
import type { Script, Taken } from './scenario-progress.js';
import { initMessage, tellActivity } from './session-messages.js';

/** What a {@link TurnQueue} reports. */
export interface TurnQueueOptions {
  readonly onIdle: () => void;
  /** A turn begins with a message. Until then, a transcript does not have it. */
  readonly onTaken: (message: QueuedMessage) => void;
}

/** User messages and their turns, one at a time. */
export class TurnQueue implements TurnControl {
  readonly #cli: Cli;
  readonly #script: Script;
  readonly #options: TurnQueueOptions;
  readonly #notices: TaskNotice[] = [];
  #unsent: WireObject[] = [];
  #queue: QueuedMessage[] = [];
  #current: Turn | undefined;
  #running = false;
  #makesDeferred = false;

  constructor(cli: Cli, script: Script, options: TurnQueueOptions) {
    this.#cli = cli;
    this.#script = script;
    this.#options = options;
  }

  get current(): Turn | undefined {
    return this.#current;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get busy(): boolean {
    return this.#running;
  }

  /** Accepts a user message from the host. A known uuid is silently dropped. */
  async receive(message: QueuedMessage): Promise<void> {
    const { state, traits } = this.#cli;
    if (state.awaitsClaim !== undefined) {
      const errors = [
        'not_claimed: this process waits for claim_session, which comes before the first message',
      ];
      const turn = new Turn([], this.#cli.clock.now());
      await sendResult(this.#cli, turn, { subtype: 'error_during_execution', overrides: { errors } });
      return;
    }
    const { uuid } = message;
    const repeated = traits.dropsRepeatedMessages && uuid !== undefined && state.seenUuids.has(uuid);
    if (uuid !== undefined) state.seenUuids.add(uuid);
    if (repeated) {
      await this.#replay([message]);
      return;
    }
    if (uuid !== undefined) state.userMessageIds.add(uuid);
    if (!this.#running) void tellActivity(this.#cli, 'running');
    this.#queue.push(message);
    void this.#report([message], 'queued');
    await this.run();
  }

  /** Plays turns until the queue is empty; a second call joins the first. */
  async run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      while (!this.#cli.exited.aborted && (await this.#runNext()));
    } finally {
      this.#running = false;
    }
    if (this.#cli.exited.aborted) return;
    // A message can arrive after the last check of the queue and before this line.
    if (this.#queue.length > 0 || this.#notices.length > 0) await this.run();
    else {
      void tellActivity(this.#cli, 'idle');
      this.#options.onIdle();
    }
  }

  /** Drops all queued messages. */
  clear(): void {
    this.#queue = [];
  }

  interrupt({ cancelQueued = false }: { readonly cancelQueued?: boolean } = {}): InterruptReceipt {
    this.#current?.interrupt();
    const cancelled = cancelQueued ? this.#queue : [];
    if (cancelQueued) this.#queue = [];
    void this.#report(cancelled, 'cancelled');
    return { stillQueued: uuidsOf(this.#queue), cancelled: uuidsOf(cancelled) };
  }

  cancel(uuid: string): boolean {
    const found = this.#queue.filter((message) => message.uuid === uuid);
    this.#queue = this.#queue.filter((message) => message.uuid !== uuid);
    void this.#report(found, 'cancelled');
    return found.length > 0;
  }

  notify(notice: TaskNotice): void {
    if (!this.#cli.traits.runsUnaskedTurns) return;
    this.#notices.push(notice);
    void this.run();
  }

  hearNotices(): readonly TaskNotice[] {
    if (!this.#cli.traits.hearsOfTasksInTurn) return [];
    this.#unsent = [];
    return this.#notices.splice(0);
  }

  sendWithNotice(message: WireObject): void {
    this.#unsent.push(message);
  }

  makeDeferred(): void {
    this.#makesDeferred = true;
    void this.run();
  }

  async #runNext(): Promise<boolean> {
    if (this.#makesDeferred) {
      this.#makesDeferred = false;
      const turn = new Turn([], this.#cli.clock.now(), { isDeferred: true });
      await this.#play(turn, () => [{ steps: [askModel()], where: 'a deferred call' }]);
      return true;
    }
    const count = this.#cli.traits.answersEachMessage ? 1 : this.#queue.length;
    const messages = this.#queue.splice(0, count);
    if (messages.length > 0) {
      await this.#play(new Turn(messages, this.#cli.clock.now()), () => this.#takeAll(messages));
      return true;
    }
    const notice = this.#notices.shift();
    if (notice !== undefined) {
      const { text, taskRunId } = notice;
      const steps = [askModel({ text })];
      const turn = new Turn([], this.#cli.clock.now(), { taskRunId });
      await this.#sendUnsent();
      await this.#play(turn, () => [{ steps, where: 'the end of a task' }]);
      return true;
    }
    const taken = this.#cli.traits.runsUnaskedTurns ? this.#script.takeUnasked() : undefined;
    if (taken === undefined) return false;
    await this.#sendUnsent();
    await this.#play(new Turn([], this.#cli.clock.now()), () => [taken]);
    return true;
  }

  async #sendUnsent(): Promise<void> {
    for (const message of this.#unsent.splice(0)) await this.#cli.send(message);
  }

  /** Messages that became one turn are answered by the steps of each. */
  #takeAll(messages: readonly QueuedMessage[]): readonly (Taken | undefined)[] {
    return messages.map((message) => this.#script.takeUser(message));
  }

  async #play(turn: Turn, take: () => readonly (Taken | undefined)[]): Promise<void> {
    this.#current = turn;
    const { state } = this.#cli;
    state.model = state.nextModel ?? state.model;
    state.nextModel = undefined;
    const stop = () => turn.interrupt();
    this.#cli.exited.addEventListener('abort', stop);
    await this.#takeUp(turn);
    try {
      if (this.#script.bare) await this.#playAll(turn, take());
      else await this.#playWhole(turn, take);
    } catch (error) {
      if (error instanceof DeferredCall) await this.#endDeferred(turn, error);
      else {
        if (!turn.interrupted) this.#failed(error);
        if (!this.#cli.exited.aborted) await this.#endEarly(turn);
      }
    }
    this.#cli.exited.removeEventListener('abort', stop);
    this.#current = undefined;
    await this.#report(turn.messages, turn.interrupted || turn.failed ? 'cancelled' : 'completed');
  }

  async #takeUp({ messages }: Turn): Promise<void> {
    for (const message of messages) this.#options.onTaken(message);
    await this.#report(messages, 'started');
  }

  async #playWhole(turn: Turn, take: () => readonly (Taken | undefined)[]): Promise<void> {
    if (await this.#open(turn)) await this.#playAll(turn, take());
    await sendResult(this.#cli, turn);
  }

  async #playAll(turn: Turn, all: readonly (Taken | undefined)[]): Promise<void> {
    for (const [index, taken] of all.entries()) {
      turn.holdsResult = index < all.length - 1;
      if (taken === undefined) await this.#refuseUnexpected(turn);
      else await perform(taken.steps, { cli: this.#cli, turn, where: taken.where });
    }
  }

  async #refuseUnexpected(turn: Turn): Promise<void> {
    turn.lastText = 'The scenario of the emulated CLI does not expect this message.';
    await sendResult(this.#cli, turn, { isError: true });
  }

  /** Hooks first, then `system/init`, as on all versions; false if a hook blocks the prompt. */
  async #open(turn: Turn): Promise<boolean> {
    await connectForTurn(this.#cli);
    if (turn.messages.length > 0 && !isOwnCommand(turn.text)) {
      const hooks = await fireHooks(this.#cli, turn, {
        event: 'UserPromptSubmit',
        input: { prompt: turn.text },
      });
      const reason = promptBlock(hooks);
      if (reason !== undefined) {
        turn.lastText = this.#cli.traits.tellsWhyPromptIsBlocked ? reason : '';
        return false;
      }
    }
    await this.#cli.send(initMessage(this.#cli, turn));
    await this.#replay(turn.messages);
    return true;
  }

  async #endDeferred(turn: Turn, { call }: DeferredCall): Promise<void> {
    const overrides = { stop_reason: 'tool_deferred', deferred_tool_use: call };
    await sendResult(this.#cli, turn, { skipsHooks: true, overrides });
  }

  async #endEarly(turn: Turn): Promise<void> {
    const session = { session_id: this.#cli.state.sessionId };
    await closeMessage(this.#cli, turn, 'end_turn');
    if (turn.interrupted) await this.#cli.send(interruptNote(turn.toolsInUse > 0 ? 'tool' : 'text', session));
    await sendResult(this.#cli, turn, { subtype: 'error_during_execution' });
  }

  #failed(error: unknown): void {
    const got = errorText(error);
    this.#cli.fail({ step: 'a step', expected: 'to be played', got });
  }

  async #report(messages: readonly QueuedMessage[], state: string): Promise<void> {
    if (!this.#cli.traits.reportsLifecycle || this.#script.bare) return;
    for (const uuid of uuidsOf(messages)) {
      await this.#cli.send({ type: 'command_lifecycle', command_uuid: uuid, state });
    }
  }

  async #replay(messages: readonly QueuedMessage[]): Promise<void> {
    const { replayUserMessages, sessionId } = this.#cli.state;
    if (!replayUserMessages) return;
    for (const { raw, uuid } of messages) {
      const own = uuid === undefined ? {} : { uuid };
      const mark = this.#cli.traits.marksReplays ? { isReplay: true, ...own } : {};
      await this.#cli.send(userMessage('', { message: raw.message, session_id: sessionId, ...mark }));
    }
  }
}

function uuidsOf(messages: readonly QueuedMessage[]): readonly string[] {
  return messages.flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid]));
}

function promptBlock(hooks: readonly HookOutput[]): string | undefined {
  const values: readonly WireObject[] = hooks.flatMap((hook) => (hook.kind === 'answer' ? [hook.value] : []));
  const block = values.find((value) => value.decision === 'block' || value.continue === false);
  return block === undefined ? undefined : String(block.reason ?? block.stopReason ?? 'Blocked by a hook');
}
