import type { AstNode, Traverse, Types } from './ast.js';
import type { DispatchNames } from './names.js';
import type { Slice, SliceKind } from './slices.js';

/** The result of a patch. */
export interface PatchResult {
  /** Whether it was applied. */
  readonly success: boolean;
  /** What was done, or exactly which anchor was not found. */
  readonly details: readonly string[];
  /** The requests that this CLI supports with it, if not all of them. */
  readonly serves?: readonly string[];
}

/** The context of a patch, in addition to the syntax tree of the dispatcher. */
export interface PatchContext {
  /** The version of the CLI, if known. */
  readonly version: string | undefined;
  /** The function that dispatches control requests. */
  readonly slice: Slice;
  /** The names in it, derived from its shape; using a missing one fails the patch with its anchor. */
  readonly names: DispatchNames;
  /** Parses the functions, or methods with a name, around each occurrence of a text. */
  find(anchor: string, kind?: SliceKind): readonly Slice[];
  /** Serves a request: `body` runs in its own async function; if it throws, the error is the answer. */
  addRequest(subtype: string, body: string, condition?: string): void;
  /** Adds declarations that several patches share; the first one with a name counts. */
  addHelper(name: string, code: string): void;
  /** Inserts a function after another one, where it sees the same names; the first one with a name counts. */
  addBehind(name: string, slice: Slice, code: string): void;
  /** Fails the patch, naming the anchor. */
  missing(anchor: string): never;
}

/** A change to a JavaScript CLI. */
export interface Patch {
  /** Its name. */
  readonly id: string;
  /** The version that a patched CLI announces with the id. Default: 1. */
  readonly version?: number;
  /** What it does, in one sentence. */
  readonly description: string;
  /** Lower priorities run first. Default: 100. */
  readonly priority?: number;
  /** Whether a failure of this patch prevents writing anything. */
  readonly required?: boolean;
  /** If true, the patch is skipped. */
  readonly disabled?: boolean;
  /** The requests that a CLI supports with this patch. */
  readonly serves?: readonly string[];
  /** Finds its place in the program and changes it. */
  apply(ast: AstNode, types: Types, traverse: Traverse, context: PatchContext): PatchResult;
}

/** An anchor that a patch needs is not in this CLI. */
export class AnchorMissing extends Error {
  readonly anchor: string;

  constructor(anchor: string) {
    super(`not found: ${anchor}`);
    this.anchor = anchor;
  }
}
