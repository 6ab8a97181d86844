import type { AstNode, Traverse, Types } from './ast.js';
import type { DispatchNames } from './names.js';
import type { Slice, SliceKind } from './slices.js';

/** What a patch reports. */
export interface PatchResult {
  /** Whether it found its place. */
  readonly success: boolean;
  /** What was done, or exactly which anchor was not found. */
  readonly details: readonly string[];
  /** The requests that this CLI serves with it, where that is not all of them. */
  readonly serves?: readonly string[];
}

/** What a patch works with, beside the tree of the function that dispatches control requests. */
export interface PatchContext {
  /** The version of the CLI, where it is known. */
  readonly version: string | undefined;
  /** The function that dispatches control requests. */
  readonly slice: Slice;
  /** The names in it, taken from its shape; asking for one that is not there fails the patch with its anchor. */
  readonly names: DispatchNames;
  /** Parses the functions, or methods of a name, around each occurrence of a text. */
  find(anchor: string, kind?: SliceKind): readonly Slice[];
  /** Serves a request: `body` runs in an async function of its own, what it throws becomes the error answer. */
  addRequest(subtype: string, body: string, condition?: string): void;
  /** Adds declarations that several patches share; the first of a name counts. */
  addHelper(name: string, code: string): void;
  /** Puts a function behind another one, where it sees the same names; the first of a name counts. */
  addBehind(name: string, slice: Slice, code: string): void;
  /** Fails the patch, naming the anchor. */
  missing(anchor: string): never;
}

/** A change to a JavaScript CLI. */
export interface Patch {
  /** Its name. */
  readonly id: string;
  /** What a patched CLI announces beside the id. Default: 1. */
  readonly version?: number;
  /** What it does, in one sentence. */
  readonly description: string;
  /** Lower ones come first. Default: 100. */
  readonly priority?: number;
  /** Whether nothing is written when it fails. */
  readonly required?: boolean;
  /** Set to true, it is passed over. */
  readonly disabled?: boolean;
  /** The requests that a CLI serves once it is applied. */
  readonly serves?: readonly string[];
  /** Finds its place in the program and says what to change. */
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
