/** The variable by which processes that belong to a transport are known, however they were started. */
export const MARK_VARIABLE = 'COXSWAIN_MARK';

/**
 * The value of the variable for a child. A host that itself carries a mark hands it on in front,
 * so that whoever owns the host also finds the host's children.
 */
export function chainMarks(outer: string | undefined, own: string): string {
  return outer === undefined || outer === '' ? own : `${outer}/${own}`;
}

/** Whether a value of the variable names this mark. */
export function carriesMark(value: string, mark: string): boolean {
  return value !== '' && value.split('/').includes(mark);
}
