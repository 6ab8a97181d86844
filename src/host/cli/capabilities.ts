import { isObject, objectsIn, type WireObject } from '../../wire/protocol/frames.js';
import { PATCHES_KEY } from '../../wire/protocol/patches-key.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { compareVersions } from '../../wire/util/versions.js';
import {
  type Fact,
  OLDEST_VERSION,
  spanOf,
  spanOfFlag,
  spanOfHook,
  spanOfPatch,
  spanOfRequest,
} from './known-facts.js';
import { permissionModes } from './options/cli-options.js';

/**
 * What happens to a request: it is served, answered with an error, ignored, or makes the CLI exit. Unknown if the
 * version is, and not every CLI serves it.
 */
export type RequestFate = 'served' | 'refused' | 'silent' | 'ends' | 'unknown';

/** What is known about a CLI. */
export interface CapabilityParts {
  /** Undefined if unknown; then only features of every version are used. */
  readonly version: string | undefined;
  /** Its answer to `initialize`. */
  readonly initialize?: WireObject | undefined;
  /** The requests that patches have added to it. */
  readonly patches?: ReadonlySet<string> | undefined;
  /** Whether it is a JavaScript file on this machine, which can be patched. Default: false. */
  readonly isScript?: boolean | undefined;
}

/**
 * Determines what a CLI supports, from the ledger's facts about its version and from what the CLI reports about itself,
 * which takes precedence.
 */
export function capabilitiesOf(parts: CapabilityParts): Capabilities {
  return new Capabilities(parts);
}

/** What one CLI supports, as far as known. */
export class Capabilities {
  /** The requests that patches added to it. */
  readonly patches: ReadonlySet<string>;
  readonly #canBePatched: boolean;
  #version: string | undefined;
  /** What the CLI turned out to do differently from what its version suggests. */
  readonly #shown = new Map<Fact, boolean>();
  readonly #fates = new Map<string, RequestFate>();

  constructor({ version, initialize = {}, patches = new Set(), isScript = false }: CapabilityParts) {
    const { claude_code_version: told } = initialize;
    this.#version = typeof told === 'string' ? told : version;
    this.patches = announcedPatches(initialize) ?? patches;
    this.#canBePatched = isScript && this.patches.size === 0;
  }

  /** Its version, if known. */
  get version(): string | undefined {
    return this.#version;
  }

  /** The name of the CLI for use in a sentence. */
  get name(): string {
    return this.#version === undefined ? 'this CLI of unknown version' : `CLI ${this.#version}`;
  }

  /** Whether a patched copy of it, started instead, would serve a request. */
  canBePatchedFor(request: string): boolean {
    return this.#canBePatched && spanOfPatch(request).holdsIn(this.#version);
  }

  /** Whether this fact holds for the CLI. */
  has(fact: Fact): boolean {
    return this.#shown.get(fact) ?? spanOf(fact).holdsIn(this.#version);
  }

  /** What happens to a request that is sent after the handshake. An unknown name may come from a newer CLI. */
  fateOf(subtype: string): RequestFate {
    if (this.patches.has(subtype)) return 'served';
    const seen = this.#fates.get(subtype);
    if (seen !== undefined) return seen;
    if (subtype === 'initialize' && !this.has('survivesSecondInitialize')) return 'ends';
    const span = spanOfRequest(subtype);
    if (span.isUnknown || span.holdsIn(this.#version)) return 'served';
    if (this.has('answersUnknownRequests')) return 'refused';
    return this.#version === undefined ? 'unknown' : 'silent';
  }

  /** Whether it ever calls hooks of an event; true for an unknown event. */
  callsHook(event: string): boolean {
    const span = spanOfHook(event);
    return span.isUnknown || span.holdsIn(this.#version);
  }

  /** Whether it accepts a flag, or one value of it: `--permission-mode=auto`. True for an unknown flag. */
  takesFlag(flag: string): boolean {
    const span = spanOfFlag(flag);
    return span.isUnknown || span.holdsIn(this.#version);
  }

  /** Whether it knows a permission mode; false for an unknown mode. */
  knowsMode(mode: string): boolean {
    // The ledger has the flag itself under this value.
    if (mode === 'plan') return this.takesFlag('--permission-mode');
    return spanOfFlag(`--permission-mode=${mode}`).holdsIn(this.#version);
  }

  /** The permission modes of this CLI. */
  get modes(): readonly string[] {
    return permissionModes.filter((mode) => this.knowsMode(mode));
  }

  /** Reads what the CLI reveals about itself in a message. */
  noteMessage(message: WireObject): void {
    if (message.type === 'command_lifecycle') this.#shown.set('reportsLifecycle', true);
    if (message.type === 'system' && message.subtype === 'init') this.#noteInit(message);
  }

  /** The CLI has answered a request with success. */
  noteAnswer(subtype: string, answer: WireObject): void {
    this.#fates.set(subtype, 'served');
    if (subtype === 'mcp_status') this.#noteStatus(answer);
  }

  #noteStatus({ mcpServers }: WireObject): void {
    const rows: readonly unknown[] = Array.isArray(mcpServers) ? mcpServers : [];
    if (rows.some((row) => isObject(row) && Array.isArray(row.tools)))
      this.#shown.set('listsToolsInStatus', true);
  }

  /** Reads a refusal. Returns whether the CLI does not know the request at all. */
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

/** The requests that the patches of a CLI serve, if it reports any. */
function announcedPatches({ [PATCHES_KEY]: told }: WireObject): ReadonlySet<string> | undefined {
  if (told === undefined) return undefined;
  return new Set(objectsIn(told).flatMap(({ serves }) => (Array.isArray(serves) ? serves.map(String) : [])));
}

/** The names under which `system/init` reports a capability. */
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
