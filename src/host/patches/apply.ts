import MagicString from 'magic-string';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { announcement } from './announcement.js';
import { traverse, types } from './ast.js';
import { DISPATCH_ANCHOR, dispatchNames } from './names.js';
import { AnchorMissing, type Patch, type PatchContext, type PatchResult } from './patch.js';
import { type Edit, type Slice, SliceFinder } from './slices.js';

/** The result of one patch. */
export interface PatchReport extends PatchResult {
  /** The patch. */
  readonly id: string;
  /** Whether the copy needs this patch. */
  readonly required: boolean;
}

/** A patched source. */
export interface Patched {
  /** The changed program. */
  readonly code: string;
  /** The result of each patch. */
  readonly reports: readonly PatchReport[];
  /** The requests that the applied patches added. */
  readonly serves: readonly string[];
}

/**
 * Applies patches to the source of a CLI, in the given order. A failed patch changes nothing. @throws CoxswainError
 * `PATCH_FAILED` if a required one fails.
 */
export function applyPatches(
  source: string,
  patches: readonly Patch[],
  { version }: { readonly version?: string | undefined } = {},
): Patched {
  const text = new MagicString(source);
  const finder = new SliceFinder(source);
  const helpers = new Set<string>();
  const reports: PatchReport[] = [];
  const applied: Patch[] = [];
  for (const patch of patches) {
    const { result, edits, added } = attempt(patch, { finder, version, helpers });
    reports.push({ id: patch.id, required: patch.required === true, ...result });
    if (!result.success && patch.required === true) throw failed(patch, result, version);
    if (!result.success) continue;
    for (const { at, code } of edits) text.appendLeft(at, code);
    for (const name of added) helpers.add(name);
    applied.push({ ...patch, serves: result.serves ?? patch.serves ?? [] });
  }
  const hello =
    applied.length === 0 ? [] : attempt(announcement(applied), { finder, version, helpers }).edits;
  for (const { at, code } of hello) text.appendLeft(at, code);
  const serves = new Set(applied.flatMap((patch) => patch.serves ?? []));
  return { code: text.toString(), reports, serves: [...serves] };
}

interface Surroundings {
  readonly finder: SliceFinder;
  readonly version: string | undefined;
  /** The helpers that are already in the source. */
  readonly helpers: ReadonlySet<string>;
}

interface Attempt {
  readonly result: PatchResult;
  readonly edits: readonly Edit[];
  readonly added: ReadonlySet<string>;
}

function attempt(patch: Patch, { finder, version, helpers }: Surroundings): Attempt {
  const edits: Edit[] = [];
  const added = new Set<string>();
  try {
    const [slice] = finder.around(DISPATCH_ANCHOR, { edits });
    if (slice === undefined) throw new AnchorMissing(DISPATCH_ANCHOR);
    const context = contextOf(slice, { finder, version, helpers, edits, added });
    return { result: checked(patch.apply(slice.ast, types, traverse, context)), edits, added };
  } catch (error) {
    const reason = errorText(error);
    return { result: { success: false, details: [reason] }, edits: [], added: new Set() };
  }
}

/** Users' patches are plain JavaScript and may return anything, even a promise. */
function checked(result: PatchResult): PatchResult {
  const { success, details, serves }: Partial<PatchResult> = result ?? {};
  if (typeof success !== 'boolean' || !Array.isArray(details))
    throw new TypeError('apply() must return { success, details } synchronously');
  return {
    success,
    details: details.map(String),
    ...(Array.isArray(serves) ? { serves: serves.map(String) } : {}),
  };
}

function contextOf(
  slice: Slice,
  {
    finder,
    version,
    helpers,
    edits,
    added,
  }: Surroundings & { readonly edits: Edit[]; readonly added: Set<string> },
): PatchContext {
  const names = dispatchNames(slice.ast);
  return {
    version,
    slice,
    names,
    find: (anchor, kind = 'function') => finder.around(anchor, { kind, edits }),
    addRequest: (subtype, body, condition = 'true') => {
      const { message, fail, firstLink } = names;
      const test = `${message}.request.subtype===${JSON.stringify(subtype)}&&(${condition})`;
      const onError = `(coxswainError)=>${fail}(${message},String(coxswainError?.message??coxswainError))`;
      // Not awaited in the loop, so that other requests are served in the meantime.
      slice.before(firstLink, `if(${test})(async()=>{${body}})().catch(${onError});else `);
    },
    addHelper: (name, code) => {
      if (helpers.has(name) || added.has(name)) return;
      added.add(name);
      slice.intoBody(code);
    },
    addBehind: (name, other, code) => {
      if (helpers.has(name) || added.has(name)) return;
      added.add(name);
      other.after(other.ast, code);
    },
    missing: (anchor) => {
      throw new AnchorMissing(anchor);
    },
  };
}

function failed(patch: Patch, { details }: PatchResult, version: string | undefined): CoxswainError {
  return new CoxswainError(
    'PATCH_FAILED',
    `The required patch ${patch.id} does not fit CLI ${version ?? 'of unknown version'}: ${details.join('; ')}. Nothing was written.`,
  );
}
