/** Many texts fit into one block; longer ones get their own memory. */
const BLOCK = 1024 * 1024;
/** Node reads up to two megabytes before it learns that a write is done. */
const MAX_SPARE = 4;

/**
 * Texts that wait for the disk, as bytes in blocks that are reused: new memory costs several times as much as the
 * encoding.
 */
export class ByteQueue {
  readonly #full: Buffer[] = [];
  #block: Buffer | undefined;
  #end = 0;
  readonly #spare: Buffer[] = [];
  #length = 0;

  /** How many bytes wait. */
  get length(): number {
    return this.#length;
  }

  push(text: string): void {
    // A UTF-16 code unit takes at most three bytes.
    const most = 3 * text.length;
    if (this.#end + most > BLOCK) this.#endBlock();
    this.#length += most > BLOCK ? this.#pushLong(text) : this.#pushShort(text);
  }

  /** The oldest contiguous bytes; undefined if none wait. */
  take(): Buffer | undefined {
    if (this.#full.length === 0) this.#endBlock();
    const bytes = this.#full.shift();
    this.#length -= bytes?.length ?? 0;
    return bytes;
  }

  /** All waiting bytes. */
  takeAll(): readonly Buffer[] {
    this.#endBlock();
    this.#length = 0;
    return this.#full.splice(0);
  }

  /** Releases bytes that were taken. While nothing waits, one block is kept. */
  giveBack({ buffer }: Buffer): void {
    const kept = this.#length === 0 ? 1 : MAX_SPARE;
    if (buffer.byteLength === BLOCK) this.#spare.push(Buffer.from(buffer));
    if (this.#spare.length > kept) this.#spare.length = kept;
  }

  #pushLong(text: string): number {
    const bytes = Buffer.from(text);
    this.#full.push(bytes);
    return bytes.length;
  }

  #pushShort(text: string): number {
    this.#block ??= this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
    const written = this.#block.write(text, this.#end);
    this.#end += written;
    return written;
  }

  #endBlock(): void {
    if (this.#block === undefined || this.#end === 0) return;
    this.#full.push(this.#block.subarray(0, this.#end));
    this.#block = undefined;
    this.#end = 0;
  }
}
