import type { LookedAt } from '../../host/cli/program/find-cli.js';

/** A problem, and how to fix it. */
export interface Problem {
  readonly what: string;
  readonly remedy: string;
}

/** The CLI that would be used. */
export interface CliFacts {
  readonly path: string;
  /** The search rule that found it. */
  readonly how: string;
  readonly version: string | undefined;
}

/** A session was opened and closed again. */
export interface StartedFacts {
  readonly ok: true;
  readonly durationMs: number;
  /** Where the credentials come from; never the credentials. */
  readonly account: Readonly<Record<string, string>>;
  readonly mcpServers: readonly ServerFacts[];
}

/** An MCP server in the user's settings. */
export interface ServerFacts {
  readonly name: string;
  readonly status: string;
  readonly error?: string;
}

/** A session could not be opened. */
export interface NotStartedFacts {
  readonly ok: false;
  readonly code: string | undefined;
  readonly message: string;
  readonly phase: string | undefined;
  readonly commandLine: string | undefined;
  readonly stderrTail: string;
  /** Lines on stdout that are not protocol. */
  readonly noise: readonly string[];
  readonly mcpServersPending: readonly string[];
  readonly debugLog: string | undefined;
}

/** How many of the catalog's names a CLI knows, and which ones it does not. */
export interface SupportFacts {
  readonly what: string;
  readonly known: number;
  readonly total: number;
  readonly missing: readonly string[];
}

/** Everything the doctor found. */
export interface Diagnosis {
  readonly coxswain: string;
  readonly node: string;
  readonly platform: string;
  readonly looked: readonly LookedAt[];
  readonly cli: CliFacts | undefined;
  /** Undefined when no start was tried. */
  readonly start: StartedFacts | NotStartedFacts | undefined;
  readonly supports: readonly SupportFacts[];
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}
