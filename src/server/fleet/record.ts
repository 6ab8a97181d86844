import type { OpenParams, PromptView, SessionSummary } from '../../entry/remote/contract.js';
import { isObject } from '../../wire/protocol/frames.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { faultOf, kinds, listOf, openShape } from '../../wire/util/option-checks.js';
import { storedOpened, storedSummary } from '../console/sessions/stored-record.js';
import { isWithoutCli } from '../conversation/states.js';
import { storedOptions } from '../manager/store/stored-options.js';

/** The placement of a conversation. */
export interface Place {
  /** Higher goes first if slots are scarce. */
  readonly priority: number;
  /** The labels that its worker must have. */
  readonly labels: readonly string[];
  /** The CLI version that its worker must have, as a prefix. */
  readonly cli?: string | undefined;
}

/**
 * What the engine stores of a conversation besides its log: everything that another worker needs to continue
 * it.
 */
export interface FleetRecord {
  readonly format: 1;
  /** The epoch in which it was written. */
  readonly epoch: number;
  /** The worker that owns it. */
  readonly worker: string | undefined;
  readonly summary: SessionSummary;
  readonly opened: OpenParams;
  readonly place: Place;
  /** The disk on which its CLI writes its transcript; see {@link WorkerFacts}. */
  readonly disk?: string | undefined;
  /** The last event in the log when this was written: if it is not there, the log has lost its end. */
  readonly log?: { readonly last: number; readonly series: string } | undefined;
  /** How many workers in a row took it and died before a turn was over. */
  readonly starts: number;
  /** Why no worker takes it until someone asks for it. */
  readonly failure?: string | undefined;
}

export const ANYWHERE: Place = { priority: 0, labels: [] };

export const placeKind = openShape(
  { priority: kinds.number, labels: listOf(kinds.anyText) },
  { cli: kinds.anyText },
);

const stored = openShape(
  {
    epoch: kinds.count,
    summary: storedSummary,
    opened: storedOpened,
    place: placeKind,
    starts: kinds.count,
  },
  {
    worker: kinds.text,
    disk: kinds.text,
    failure: kinds.anyText,
    log: openShape({ last: kinds.count, series: kinds.text }, {}),
  },
);

/** Reads a record. @throws CoxswainError `STORE_TOO_NEW`, `STORE_INVALID`. */
export function readRecord(value: unknown): FleetRecord {
  if (!isObject(value) || typeof value.format !== 'number') {
    throw new CoxswainError('STORE_INVALID', 'A record of the fleet was not written by Coxswain.');
  }
  if (value.format > 1) {
    throw new CoxswainError('STORE_TOO_NEW', 'A newer version of Coxswain has this conversation.');
  }
  const fault = faultOf(stored, value);
  if (fault !== undefined) {
    throw new CoxswainError('STORE_INVALID', `A record of the fleet is damaged: ${fault}.`);
  }
  return value as unknown as FleetRecord;
}

/** Whether a CLI is working, or about to: this continues when its worker is gone. */
export function isLive({ summary: { state } }: Pick<FleetRecord, 'summary'>): boolean {
  return !isWithoutCli(state);
}

/** How it was opened, without possible secrets: workers have their own keys and servers. */
export function withoutSecrets(opened: OpenParams): OpenParams {
  const { program } = opened;
  if (program === undefined) return opened;
  const { systemPrompt, appendSystemPrompt } = program.initialize;
  const said = Object.entries({ systemPrompt, appendSystemPrompt }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    ...opened,
    program: { options: storedOptions(program.options), initialize: Object.fromEntries(said) },
  };
}

const MAX_TEXT = 4 * 1024;

/** A record with shorter texts in its prompts, for one that is too long to store: the log has the whole prompts. */
export function shortened(record: FleetRecord): FleetRecord {
  const { summary } = record;
  return {
    ...record,
    summary: { ...summary, prompts: summary.prompts.map((each) => cut(each) as PromptView) },
  };
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (Array.isArray(value)) return value.map(cut);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cut(each)]));
}
