/** An anchor that a patch needs is not in this CLI. */
export class AnchorMissing extends Error {
  readonly anchor: string;

  constructor(anchor: string) {
    super(`not found: ${anchor}`);
    this.anchor = anchor;
  }
}
