/** A value from outside as a text. An object is written as JSON: its own `toString` may be anything. */
export function asText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
