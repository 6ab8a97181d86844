import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { PromptAnswer } from '../../../src/entry/remote/contract.js';
import type { AnyPrompt } from '../../../src/host/session/prompts/open-prompts.js';
import type { TurnOutcome } from '../../../src/host/session/turns/outcome.js';
import type { Conversation } from '../../../src/server/manager/conversations/conversation.js';
import type { Manager } from '../../../src/server/manager/manager.js';
import type { BudgetPrompt } from '../../../src/server/manager/money/budget-prompt.js';
import { openManager } from '../../../src/server/manager/open-manager.js';
import { type EmulatedLaunches, emulatedLaunches, storeFolder } from '../manager.js';
import type {
  Fate,
  OpenOptions,
  SharedOptions,
  TestedConversation,
  TestedConversations,
  WayIn,
} from './way-in.js';

/** A manager in this process. */
export const inProcess: Pick<WayIn, 'start'> = {
  start: (scenarios, options = {}) =>
    localConversations({ options, store: storeFolder(), clis: emulatedLaunches({ scenarios }) }),
};

interface LocalBasis {
  readonly options: SharedOptions;
  readonly store: string;
  readonly clis: EmulatedLaunches;
}

async function localConversations(basis: LocalBasis): Promise<TestedConversations> {
  const { options, store, clis } = basis;
  const { transport, launches } = clis;
  const manager = await openManager({
    ...options,
    store,
    limitSpreadMs: 0,
    // Prompts stay open, as they do elsewhere.
    defaults: { prompts: 'manual', transport },
  });
  onTestFinished(() => manager.close());
  return {
    ...managedConversations(manager),
    folder: storeFolder(),
    launches,
    restart: async (how) => {
      if (how === 'closed') await manager.close();
      return localConversations({ ...basis, store: how === 'killed' ? asKilled(store) : store });
    },
  };
}

/** What a kill leaves on disk at this moment. */
function asKilled(store: string): string {
  const copy = storeFolder();
  cpSync(store, copy, { recursive: true });
  // The process that had the store is this one, which is running.
  rmSync(join(copy, 'lock'));
  return copy;
}

/** The conversations of a manager, wherever it has them. */
export function managedConversations(
  manager: Manager,
  { asksAgain = false }: { readonly asksAgain?: boolean } = {},
): Pick<TestedConversations, 'open' | 'list'> {
  const fates = new Fates(asksAgain);
  manager.on('turn', ({ messageId, outcome }) => fates.note(messageId, outcome));
  return {
    list: async () => manager.list().map(({ name }) => name),
    open: async (name, given = {}) => {
      const { budgetUsd, ...options }: OpenOptions = given;
      const talk = manager.conversation(name, options);
      if (budgetUsd !== undefined) talk.setBudget(budgetUsd);
      return managedConversation(manager, talk, fates);
    },
  };
}

function managedConversation(manager: Manager, talk: Conversation, fates: Fates): TestedConversation {
  const asked = new Map<string, AnyPrompt | BudgetPrompt>();
  const prompts = () => {
    const open = [...talk.prompts.open, ...(talk.budgetPrompt === undefined ? [] : [talk.budgetPrompt])];
    for (const prompt of open) asked.set(prompt.id, prompt);
    return open.map(({ id, kind }) => ({ id, kind }));
  };
  return {
    look: async () => {
      const { state, messages, costUsd, limitUntil, failure } = talk.facts;
      const { budgetUsd } = talk;
      return { state, prompts: prompts(), unsettled: messages, costUsd, budgetUsd, limitUntil, failure };
    },
    send: async (text, { id, ...options } = {}) => {
      const turn = talk.send(text, { uuid: id, ...options });
      const uuid = String(turn.userMessageId);
      void turn.outcome.then((outcome) => fates.note(uuid, outcome));
      fates.expect(uuid);
      return uuid;
    },
    fate: (id) => fates.of(id, talk),
    cancel: async (id) =>
      (await talk.turns.find(({ userMessageId }) => userMessageId === id)?.cancel()) ?? false,
    interrupt: () => talk.interrupt(),
    answer: async (id, answer) => {
      const prompt = asked.get(id);
      return prompt !== undefined && give(prompt, answer);
    },
    park: () => talk.park(),
    retry: async () => talk.retry(),
    control: (subtype) => talk.control(subtype),
    setModel: (model) => talk.setModel(model),
    setPermissionMode: (mode) => talk.setPermissionMode(mode),
    setBudget: async (usd) => talk.setBudget(usd),
    schedule: async (options) => talk.schedule(options),
    unschedule: async () => talk.unschedule(),
    endWorkspace: (how) => talk.endWorkspace(how),
    delete: () => manager.delete(talk.name),
    export: () => manager.export(talk.name),
  };
}

/** What became of messages, as a manager tells. */
class Fates {
  readonly #known = new Map<string, Fate>();
  readonly #sent = new Set<string>();
  readonly #asksAgain: boolean;

  /** A manager elsewhere may have missed the end of a message of an earlier one: it is asked again under its id. */
  constructor(asksAgain: boolean) {
    this.#asksAgain = asksAgain;
  }

  /** It was sent by this manager. */
  expect(id: string): void {
    this.#sent.add(id);
  }

  note(id: string, outcome: TurnOutcome): void {
    this.#known.set(id, fateOf(outcome));
  }

  async of(id: string, talk: Conversation): Promise<Fate> {
    const isEarlier = !this.#sent.has(id) && !talk.turns.some(({ userMessageId }) => userMessageId === id);
    if (this.#asksAgain && isEarlier && !this.#known.has(id))
      return fateOf(await talk.send('asked again', { uuid: id }).outcome);
    await expect.poll(() => this.#known.has(id), { interval: 10 }).toBe(true);
    return this.#known.get(id) ?? { kind: 'none' };
  }
}

function fateOf(outcome: TurnOutcome): Fate {
  return { kind: outcome.kind, text: outcome.kind === 'success' ? outcome.text : undefined };
}

function give(prompt: AnyPrompt | BudgetPrompt, answer: PromptAnswer): boolean {
  if (prompt.kind === 'budget') {
    if (answer.answer === 'raise') return prompt.raise(answer.usd);
    return answer.answer === 'once' ? prompt.continueOnce() : prompt.stop();
  }
  if (answer.answer === 'allow' && prompt.kind === 'permission') return prompt.allow().accepted;
  if (answer.answer === 'deny' && prompt.kind === 'permission') return prompt.deny(answer.reason).accepted;
  if (answer.answer === 'choices' && prompt.kind === 'question')
    return prompt.answer(answer.choices as Readonly<Record<string, string>>).accepted;
  throw new Error(`no ${answer.answer} for a ${prompt.kind}`);
}
