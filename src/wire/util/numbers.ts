/** A duration for people: `340 ms`, `12.3 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A duration that changes at most once a second. */
export function wholeSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A count for people: `950`, `1.2k`, `3.4M`. */
export function count(value: number): string {
  if (value < 1000) return String(value);
  return value < 999_950 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1e6).toFixed(1)}M`;
}

/** A number with its noun: `1 file`, `2 files`. */
export function counted(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`;
}

/** An amount of dollars, with enough digits to be useful. */
export function dollars(value: number): string {
  return `$${value === 0 || value >= 1 ? value.toFixed(2) : value.toFixed(4)}`;
}

/** A cost as a CLI estimates it: tokens times list prices. */
export function estimatedDollars(value: number): string {
  return value === 0 ? dollars(value) : `~${dollars(value)}`;
}

/** An amount of memory for people: `12 KiB`, `312 MiB`, `1.4 GiB`. */
export function mebibytes(bytes: number): string {
  const mebi = bytes / 1024 ** 2;
  if (mebi < 1) return `${Math.ceil(bytes / 1024)} KiB`;
  return mebi < 1023.5 ? `${Math.round(mebi)} MiB` : `${(mebi / 1024).toFixed(1)} GiB`;
}
