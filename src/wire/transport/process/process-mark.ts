/** The variable that identifies the processes of a transport, however they were started. */
export const MARK_VARIABLE = 'COXSWAIN_MARK';

/**
 * The value of the variable for a child. A host that itself carries a mark puts it in front,
 * so that the owner of the host also finds the host's children.
 */
export function chainMarks(outer: string | undefined, own: string): string {
  return outer === undefined || outer === '' ? own : `${outer}/${own}`;
}

/** Whether a value of the variable contains this mark. */
export function carriesMark(value: string, mark: string): boolean {
  return value !== '' && value.split('/').includes(mark);
}
