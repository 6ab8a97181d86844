/** What was found on a version. */
export interface PatchRow {
  /** The hash of the patches that ran. */
  readonly sources: string;
  /** By the id of the patch: `works`, `applied`, `fails: …`, or what is missing. */
  readonly cells: Readonly<Record<string, string>>;
}

export type PatchRecord = Readonly<Record<string, PatchRow>>;

export declare function readPatchRecord(): PatchRecord;
export declare function patchSources(): string;
