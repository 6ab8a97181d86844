/** One behaviour of a CLI; what each version does is in the ledger. */
export interface Requirement {
  /** The behaviour, in one sentence. */
  readonly behaviour: string;
}

/** Requirements by id: `subject:what`. */
export type Requirements = Readonly<Record<string, Requirement>>;
