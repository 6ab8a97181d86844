import { isObject, objectsIn, type WireObject } from '../../wire/protocol/frames.js';
import { PATCHES_KEY } from '../../wire/protocol/patches-key.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { compareVersions } from '../../wire/util/versions.js';
import { type Fact, OLDEST_VERSION, spanOf, spanOfFlag, spanOfHook, spanOfRequest } from './known-facts.js';
import { permissionModes } from './options/cli-options.js';

/** What becomes of a request: it is served, answered with an error, met with silence, or it ends the CLI. */
export type RequestFate = 'served' | 'refused' | 'silent' | 'ends';

/** What a CLI is judged by. */
export interface CapabilityParts {
  /** Undefined while nobody knows it: only what every version can do is relied on then. */
  readonly version: string | undefined;
  /** Its answer to `initialize`. */
  readonly initialize?: WireObject | undefined;
  /** The requests that patches have added to it. */
  readonly patches?: ReadonlySet<string> | undefined;
}

/** Says what a CLI can do: by the ledger's facts on its version, and by what it tells about itself, which counts more. */
export function capabilitiesOf(parts: CapabilityParts): Capabilities {
  return new Capabilities(parts);
}

/** What one CLI can do, as far as is known by now. */
export class Capabilities {
  /** The requests that patches have added to it. */
  readonly patches: ReadonlySet<string>;
  #version: string | undefined;
  /** What the CLI turned out to do differently from what its version suggests. */
  readonly #shown = new Map<Fact, boolean>();
  readonly #fates = new Map<string, RequestFate>();

  constructor({ version, initialize = {}, patches = new Set() }: CapabilityParts) {
    const { claude_code_version: told } = initialize;
    this.#version = typeof told === 'string' ? told : version;
    this.patches = announcedPatches(initialize) ?? patches;
  }

  /** Its version, where it is known. */
  get version(): string | undefined {
    return this.#version;
  }

  /** The CLI as it is named in a sentence. */
  get name(): string {
    return this.#version === undefined ? 'this CLI of unknown version' : `CLI ${this.#version}`;
  }

  /** Whether the CLI can do this. */
  has(fact: Fact): boolean {
    return this.#shown.get(fact) ?? spanOf(fact).holdsIn(this.#version);
  }

  /** What becomes of a request that is sent after the handshake. A name that nobody knows may be newer than we are. */
  fateOf(subtype: string): RequestFate {
    if (this.patches.has(subtype)) return 'served';
    const seen = this.#fates.get(subtype);
    if (seen !== undefined) return seen;
    if (subtype === 'initialize' && !this.has('survivesSecondInitialize')) return 'ends';
    const span = spanOfRequest(subtype);
    if (span.isUnknown || span.holdsIn(this.#version)) return 'served';
    return this.has('answersUnknownRequests') ? 'refused' : 'silent';
  }

  /** Whether it ever calls hooks of an event; true for an event that nobody knows. */
  callsHook(event: string): boolean {
    const span = spanOfHook(event);
    return span.isUnknown || span.holdsIn(this.#version);
  }

  /** Whether it takes a flag, or one value of it: `--permission-mode=auto`. True for a flag that nobody knows. */
  takesFlag(flag: string): boolean {
    const span = spanOfFlag(flag);
    return span.isUnknown || span.holdsIn(this.#version);
  }

  /** Whether it knows a permission mode; false for one that nobody knows. */
  knowsMode(mode: string): boolean {
    // The flag itself was tried with this one.
    if (mode === 'plan') return this.takesFlag('--permission-mode');
    return spanOfFlag(`--permission-mode=${mode}`).holdsIn(this.#version);
  }

  /** The permission modes that it knows. */
  get modes(): readonly string[] {
    return permissionModes.filter((mode) => this.knowsMode(mode));
  }

  /** Looks at a message for what the CLI tells about itself. */
  noteMessage(message: WireObject): void {
    if (message.type === 'command_lifecycle') this.#shown.set('reportsLifecycle', true);
    if (message.type === 'system' && message.subtype === 'init') this.#noteInit(message);
  }

  /** Looks at the rows of `mcp_status`. */
  noteStatus({ mcpServers }: WireObject): void {
    const rows: readonly unknown[] = Array.isArray(mcpServers) ? mcpServers : [];
    if (rows.some((row) => isObject(row) && Array.isArray(row.tools)))
      this.#shown.set('listsToolsInStatus', true);
  }

  /** The CLI has answered a request with success. */
  noteServed(subtype: string): void {
    this.#fates.set(subtype, 'served');
  }

  /** Looks at a refusal. Says whether the CLI does not know the request at all. */
  noteRefusal(subtype: string, reason: string): boolean {
    // Its error code is newer than its text.
    if (!reason.startsWith('Unsupported control request subtype')) return false;
    this.#shown.set('answersUnknownRequests', true);
    this.#fates.set(subtype, 'refused');
    return true;
  }

  #noteInit({ claude_code_version: version, capabilities }: WireObject): void {
    if (typeof version === 'string') this.#version = version;
    if (!Array.isArray(capabilities)) return;
    for (const [word, fact] of Object.entries(WORDS)) this.#shown.set(fact, capabilities.includes(word));
  }
}

/** The requests that the patches of a CLI serve, where it tells of any. */
function announcedPatches({ [PATCHES_KEY]: told }: WireObject): ReadonlySet<string> | undefined {
  if (told === undefined) return undefined;
  return new Set(objectsIn(told).flatMap(({ serves }) => (Array.isArray(serves) ? serves.map(String) : [])));
}

/** The words by which `system/init` tells of a capability. */
const WORDS = {
  msg_lifecycle_v1: 'reportsLifecycle',
  interrupt_cancel_queued_v1: 'cancelsQueuedOnInterrupt',
} as const satisfies Record<string, Fact>;

/** @throws CoxswainError `CLI_TOO_OLD` for a version older than any that works. */
export function checkVersion(version: string | undefined): void {
  if (version === undefined || compareVersions(version, OLDEST_VERSION) >= 0) return;
  throw new CoxswainError(
    'CLI_TOO_OLD',
    `CLI ${version} is too old: ${OLDEST_VERSION} is the oldest supported version.`,
  );
}
