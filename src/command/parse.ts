import { InvalidArgumentError } from 'commander';
import type { SettingSource } from '../host/cli/options/cli-options.js';

/** A positive integer. */
export function parseCount(value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}

/** Any number. */
export function parseNumber(value: string): number {
  const number = Number(value);
  if (Number.isFinite(number) && value.trim() !== '') return number;
  throw new InvalidArgumentError('It must be a number.');
}

/** An amount above zero. */
export function parseMoney(value: string): number {
  const number = Number(value);
  if (Number.isFinite(number) && number > 0) return number;
  throw new InvalidArgumentError('It must be a number above 0.');
}

/** A share from 0 to 1. */
export function parseShare(value: string): number {
  const number = Number(value);
  if (value.trim() !== '' && number >= 0 && number <= 1) return number;
  throw new InvalidArgumentError('It must be a share from 0 to 1, such as 0.9.');
}

/** A port to listen on; 0 for any free one. */
export function parsePort(value: string): number {
  const port = Number(value);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && value.trim() !== '') return port;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}

/** Collects a repeatable option. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return [...before, value];
}

/** A duration in milliseconds, from `90`, `90s`, `1.5m`, `2h` or `30d`. */
export function parseDuration(value: string): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(value.trim()) ?? [];
  const ms = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (ms > 0) return ms;
  throw new InvalidArgumentError('It must be a time above 0, such as 90, 90s, 5m, 1h or 30d.');
}

/** A time since the start in milliseconds: a duration, or 0 for the start itself. */
export function parseMoment(value: string): number {
  return /^0+(?:ms|s|m|h|d)?$/.test(value.trim()) ? 0 : parseDuration(value);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A list of settings files; an empty string is an empty list. */
export function parseSources(value: string): readonly SettingSource[] {
  const names = value.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '').map(asSource);
}

function asSource(name: string): SettingSource {
  if (name === 'user' || name === 'project' || name === 'local') return name;
  throw new InvalidArgumentError(`"${name}" is none of user, project, local.`);
}

/** A size in bytes, from `500000`, `64m` or `1g`. */
export function parseBytes(value: string): number {
  const [, number, unit = ''] = /^(\d+)\s*(k|m|g)?b?$/i.exec(value.trim()) ?? [];
  const bytes = Number(number) * (SIZES[unit.toLowerCase()] ?? 1);
  if (bytes > 0) return bytes;
  throw new InvalidArgumentError('It must be a size above 0, such as 500000, 64m or 1g.');
}

const SIZES: Readonly<Record<string, number>> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 };
