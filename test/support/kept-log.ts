import { type JsMsg, jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Names } from '../../src/server/fleet/nats/names.js';
import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';

/** A line of the log of a conversation, and the epoch under which it was written. */
interface KeptLine {
  readonly n: number;
  readonly epoch: number;
  readonly event: WireObject;
}

/** The log of a conversation as the engine has it, read without any code of ours. */
export interface KeptLog {
  readonly epochs: readonly { readonly sequence: number; readonly worker: unknown }[];
  readonly lines: readonly KeptLine[];
  /** Writes that do not belong to the owner of their time. */
  readonly strangers: readonly string[];
  /** Commands that are recorded as done, and how many lines there were before. */
  readonly done: readonly { readonly id: string; readonly lines: number }[];
}

/** Reads all that a stream has of a conversation. A server that has just come back cannot read yet. */
export async function keptLog(nats: string | readonly string[], session: string): Promise<KeptLog> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await readKeptLog(nats, session);
    } catch (error) {
      if (tries === 60) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

async function readKeptLog(nats: string | readonly string[], session: string): Promise<KeptLog> {
  const connection = await connect({ servers: [...[nats].flat()] });
  try {
    const names = new Names();
    const js = jetstream(connection);
    const consumer = await js.consumers.get(names.streamOf(session), {
      filter_subjects: [names.everything(session)],
    });
    const log = { epochs: [], lines: [], strangers: [], done: [] };
    const { num_pending: count } = await consumer.info();
    const messages = count === 0 ? [] : await consumer.fetch({ max_messages: count, expires: 30_000 });
    for await (const message of messages) take(message, log);
    return log;
  } finally {
    await connection.close();
  }
}

/** Adds a message of the stream to what is known. */
function take(message: JsMsg, { epochs, lines, strangers, done }: Written<KeptLog>): void {
  const kind = message.subject.split('.').at(-1);
  if (kind === 'epoch') {
    epochs.push({ sequence: message.seq, worker: message.json<WireObject>().worker });
    return;
  }
  const id = message.headers?.get('Nats-Msg-Id') ?? '';
  const epoch = Number(id.split(':')[1]);
  if (epoch !== epochs.at(-1)?.sequence) strangers.push(id);
  const texts = message.string().split('\n');
  const records: WireObject[] = texts.filter((text) => text !== '').map((text) => JSON.parse(text));
  for (const record of records) {
    if (kind === 'e') lines.push({ n: Number(record.n), epoch, event: record });
    else if (record.state === 'done') done.push({ id: String(record.id), lines: lines.length });
  }
}

type Written<Log> = { [Key in keyof Log]: Log[Key] extends readonly (infer Each)[] ? Each[] : Log[Key] };

/** Whether a message is in a log, and a CLI was given it, or its sender was told that nobody can tell. */
export function isTaken(log: KeptLog, uuid: string): boolean {
  const isKnown = log.lines.some(({ event }) => isGiven(event, uuid)) || isUnclear(log, uuid);
  return isQueued(log, uuid) && isKnown;
}

/** Whether a CLI was about to get a message when its worker was lost, and nobody can tell whether it ran. */
function isUnclear({ lines }: KeptLog, uuid: string): boolean {
  return lines.some(
    ({ event: { kind, uuid: of, outcome } }) =>
      kind === 'settled' && of === uuid && isObject(outcome) && outcome.kind === 'unknown',
  );
}

function isQueued({ lines }: KeptLog, uuid: string): boolean {
  return lines.some(({ event }) => event.kind === 'queued' && event.uuid === uuid);
}

/** Whether an event is that a CLI was given a message. */
function isGiven({ from, frame }: WireObject, uuid: string): boolean {
  return from === 'host' && isObject(frame) && frame.type === 'user' && frame.uuid === uuid;
}

/** What is wrong with a log, in words; nothing if nothing went wrong. `accepted` are the messages that somebody was told are taken. */
export function problemsIn(log: KeptLog, accepted: readonly string[]): string[] {
  const { epochs, lines, strangers, done } = log;
  const owners = epochs.filter(({ worker }) => typeof worker === 'string').map(({ sequence }) => sequence);
  return [
    ...strangers.map((id) => `the write ${id} is of an old owner`),
    ...(new Set(owners).size === owners.length ? [] : ['an epoch has two owners']),
    ...lines.flatMap(({ n }, at) =>
      at > 0 && n <= (lines[at - 1]?.n ?? 0) ? [`number ${n} comes twice`] : [],
    ),
    ...accepted.filter((uuid) => !isQueued(log, uuid)).map((uuid) => `the message ${uuid} is not in the log`),
    ...accepted.flatMap((uuid) => {
      const times = lines.filter(({ event }) => isGiven(event, uuid)).length;
      const isRight = times === 1 || (times === 0 && isUnclear(log, uuid));
      return isRight ? [] : [`the message ${uuid} was given to a CLI ${times} times`];
    }),
    ...done.flatMap(({ id, lines: before }) => {
      const at = lines.findIndex(({ event }) => event.kind === 'queued' && event.uuid === id);
      return at >= before ? [`the message ${id} was done before it was in the log`] : [];
    }),
    ...turnProblems(lines),
  ];
}

/** Turns count: "2 of 5: …". A number that is left out, or a turn that is over before its last one, is a loss. */
function turnProblems(lines: readonly KeptLine[]): string[] {
  const reached = new Map<string, number>();
  let open: Said | undefined;
  return lines.flatMap(({ n, event }) => {
    const frame = isObject(event.frame) ? event.frame : {};
    const said = saidIn(frame);
    if (said !== undefined) {
      const before = reached.get(said.text) ?? 0;
      reached.set(said.text, said.number);
      open = said;
      return said.number === before + 1 ? [] : [`line ${n}: ${said.number} of ${said.text} after ${before}`];
    }
    if (frame.type !== 'result') return [];
    const isCut = frame.subtype === 'success' && open !== undefined && open.number !== open.count;
    const problems = isCut ? [`line ${n}: the turn ${open?.text} was over after ${open?.number}`] : [];
    open = undefined;
    return problems;
  });
}

interface Said {
  readonly number: number;
  readonly count: number;
  readonly text: string;
}

function saidIn({ type, message }: WireObject): Said | undefined {
  const found = type === 'assistant' ? /(\d+) of (\d+): ([^"]*)"/.exec(JSON.stringify(message)) : null;
  return found === null
    ? undefined
    : { number: Number(found[1]), count: Number(found[2]), text: found[3] ?? '' };
}
