import { isObject } from '../../../src/wire/protocol/frames.js';

/** One difference between two runs. */
export interface Difference {
  readonly at: string;
  readonly official: unknown;
  readonly ours: unknown;
}

/** A difference on one line. */
export function sentence({ at, official, ours }: Difference): string {
  return `${at}: ${short(official)} there, ${short(ours)} here`;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text;
}

const LONG = 400;

/** All differences between two values. */
export function differences(official: unknown, ours: unknown, at = ''): readonly Difference[] {
  if (Array.isArray(official) && Array.isArray(ours)) {
    const length = Math.max(official.length, ours.length);
    return Array.from({ length }, (_, index) =>
      differences(item(official, index), item(ours, index), `${at}[${index}]`),
    ).flat();
  }
  // Two messages of different kinds are one difference, not one per key.
  if (isObject(official) && isObject(ours) && official.type === ours.type) {
    const keys = new Set([...Object.keys(official), ...Object.keys(ours)]);
    return [...keys].flatMap((key) =>
      differences(official[key], ours[key], at === '' ? key : `${at}.${key}`),
    );
  }
  return Object.is(official, ours) ? [] : [{ at, official, ours }];
}

function item(list: readonly unknown[], index: number): unknown {
  return index < list.length ? list[index] : '<nothing>';
}
