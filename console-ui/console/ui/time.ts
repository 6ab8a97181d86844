/** A time for people: today's by the clock, others by the day. */
export function shortTime(at: number, now = Date.now()): string {
  const date = new Date(at);
  const sameDay = date.toDateString() === new Date(now).toDateString();
  return sameDay
    ? date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString([], { day: 'numeric', month: 'short' });
}

/** The last part of a path, which tells most. */
export function folderName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

/** The name of a session; one that nothing was said to yet has none of its own. */
export function titleOf({ title, cwd }: { readonly title: string; readonly cwd: string }): string {
  return title === '' ? `New session in ${folderName(cwd)}` : title;
}
