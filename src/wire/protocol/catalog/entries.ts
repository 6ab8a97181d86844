/** How an entry was observed: with a fake key and no network, only with an account, or so far only in a declaration. */
export type Reach = 'offline' | 'account' | 'declared';

/** The common fields of a catalog entry. */
export interface CatalogEntry {
  /** The name on the wire; `type/subtype` for messages with a subtype. */
  readonly name: string;
  /** Who sends it. */
  readonly from: 'host' | 'cli';
  /** How it was observed. */
  readonly reach: Reach;
  /** One sentence about its purpose. */
  readonly about: string;
  /** The flag, variable or `initialize` field without which it does not occur. */
  readonly needs?: string;
  /** What can go wrong with it, and on which versions. */
  readonly caution?: string;
}

/** A control request that the host sends. */
export interface HostRequestEntry extends CatalogEntry {
  /** `host`. */
  readonly from: 'host';
  /** `ack`: the answer has no value; `value`: it has one on at least one version. */
  readonly answer: 'ack' | 'value';
  /** The default deadline, for requests that make the CLI connect, load or ask something first. */
  readonly deadlineMs?: number;
}

/** A control request that the CLI sends. */
export interface CliRequestEntry extends CatalogEntry {
  /** `cli`. */
  readonly from: 'cli';
  /** `never`: no answer is expected, and none should be sent. */
  readonly answer: 'value' | 'never';
}

/** A frame that is not control traffic. */
export type MessageEntry = CatalogEntry;

/** An event that a hook callback can be registered for. */
export interface HookEventEntry extends CatalogEntry {
  /** `cli`. */
  readonly from: 'cli';
}

/** What we write down for an entry; name and sender are filled in. */
type Note<Entry extends CatalogEntry> = Omit<Entry, 'name' | 'from'>;

/** Creates the entries of host requests. */
export function describeHostRequests<Name extends string>(
  notes: Readonly<Record<Name, Note<HostRequestEntry>>>,
): Readonly<Record<Name, HostRequestEntry>> {
  return fill(notes, (name, note) => ({ name, from: 'host', ...note }));
}

/** Creates the entries of CLI requests. */
export function describeCliRequests<Name extends string>(
  notes: Readonly<Record<Name, Note<CliRequestEntry>>>,
): Readonly<Record<Name, CliRequestEntry>> {
  return fill(notes, (name, note) => ({ name, from: 'cli', ...note }));
}

/** Creates the entries of messages. */
export function describeMessages<Name extends string>(
  from: 'host' | 'cli',
  notes: Readonly<Record<Name, Note<MessageEntry>>>,
): Readonly<Record<Name, MessageEntry>> {
  return fill(notes, (name, note) => ({ name, from, ...note }));
}

/** Creates the entries of hook events. */
export function describeHookEvents<Name extends string>(
  notes: Readonly<Record<Name, Note<HookEventEntry>>>,
): Readonly<Record<Name, HookEventEntry>> {
  return fill(notes, (name, note) => ({ name, from: 'cli', ...note }));
}

function fill<Name extends string, Written, Entry>(
  notes: Readonly<Record<Name, Written>>,
  toEntry: (name: Name, note: Written) => Entry,
): Readonly<Record<Name, Entry>> {
  const filled: Partial<Record<Name, Entry>> = {};
  for (const name in notes) filled[name] = toEntry(name, notes[name]);
  return filled as Record<Name, Entry>;
}
