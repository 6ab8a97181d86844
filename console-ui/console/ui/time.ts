const DAY_MS = 86_400_000;

/** A time for people: today's as a time, others with their date. */
export function shortTime(at: number, now = Date.now()): string {
  const time = new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return daysBetween(at, now) === 0 ? time : `${dateOf(at, now)}, ${time}`;
}

/** How long ago something was, in one or two words: `now`, `5 min`, `3 h`, `yesterday`, `Mon`, `12 Mar`. */
export function timeAgo(at: number, now = Date.now()): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  const days = daysBetween(at, now);
  if (days === 0) return `${Math.floor(minutes / 60)} h`;
  if (days === 1) return 'yesterday';
  return days < 7 ? new Date(at).toLocaleDateString([], { weekday: 'short' }) : dateOf(at, now);
}

/** The whole date and time. */
export function fullTime(at: number): string {
  return new Date(at).toLocaleString([], { dateStyle: 'full', timeStyle: 'short' });
}

function dateOf(at: number, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const year = sameYear ? {} : { year: 'numeric' as const };
  return new Date(at).toLocaleDateString([], { day: 'numeric', month: 'short', ...year });
}

/** How many midnights are between two times. */
function daysBetween(at: number, now: number): number {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((midnight(now) - midnight(at)) / DAY_MS);
}
