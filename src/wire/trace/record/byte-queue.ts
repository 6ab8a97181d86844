/** Most texts find room in a block many times over; longer ones get memory of their own. */
const BLOCK = 1024 * 1024;
/** Node reads up to two megabytes before a disk that is done is heard; what a slow one needs beyond is not kept. */
const MAX_SPARE = 4;

/**
 * Texts that wait for the disk, as bytes. They are encoded when they come: texts that wait would be copied by every
 * collection of garbage. Blocks are used again: fresh pages cost more than the encoding, and whole collections besides.
 */
export class ByteQueue {
  #full: Buffer[] = [];
  #block: Buffer | undefined;
  #end = 0;
  readonly #spare: Buffer[] = [];
  #length = 0;

  /** How many bytes wait. */
  get length(): number {
    return this.#length;
  }

  /** Takes texts that belong together: their bytes lie together too. */
  push(...texts: readonly string[]): void {
    // A UTF-16 code unit takes at most three bytes.
    const most = 3 * texts.reduce((length, text) => length + text.length, 0);
    if (this.#end + most > BLOCK) this.#shut();
    if (most > BLOCK) this.#pushLong(texts.join(''));
    else for (const text of texts) this.#pushShort(text);
  }

  /** The oldest bytes, as many as lie together; undefined if none wait. */
  take(): Buffer | undefined {
    if (this.#full.length === 0) this.#shut();
    const bytes = this.#full.shift();
    this.#length -= bytes?.length ?? 0;
    return bytes;
  }

  /** Says that bytes are no longer needed; their memory is used again. */
  giveBack({ buffer }: Buffer): void {
    if (buffer.byteLength === BLOCK && this.#spare.length < MAX_SPARE) this.#spare.push(Buffer.from(buffer));
  }

  /** Says that there is a pause: no more memory is kept than a few lines need. */
  rest(): void {
    this.#spare.length = Math.min(this.#spare.length, 1);
  }

  /** Takes all that waits. */
  takeAll(): Buffer {
    this.#shut();
    const all = Buffer.concat(this.#full);
    this.#full = [];
    this.#length = 0;
    return all;
  }

  #pushLong(text: string): void {
    const bytes = Buffer.from(text);
    this.#full.push(bytes);
    this.#length += bytes.length;
  }

  #pushShort(text: string): void {
    this.#block ??= this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
    const written = this.#block.write(text, this.#end);
    this.#end += written;
    this.#length += written;
  }

  #shut(): void {
    if (this.#block === undefined || this.#end === 0) return;
    this.#full.push(this.#block.subarray(0, this.#end));
    this.#block = undefined;
    this.#end = 0;
  }
}
