/** The permission modes with the names that people see. */
export const modeNames: ReadonlyMap<string, string> = new Map([
  ['default', 'Asks first'],
  ['acceptEdits', 'Accepts edits'],
  ['plan', 'Plans only'],
  ['dontAsk', 'Never asks, denies'],
  ['auto', 'Decides itself'],
  ['bypassPermissions', 'Allows everything'],
]);

/** The name of a mode; one that is not known has its own. */
export function modeName(mode: string): string {
  return modeNames.get(mode) ?? mode;
}
