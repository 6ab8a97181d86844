import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { lockedFolders } from '../../scripts/lib/side-packages.mjs';

describe.each<string>(lockedFolders)('the lockfile of %s', (folder) => {
  const lock = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8'));
  const places = Object.keys(lock.packages);
  const installed = places.filter((place) => /(?:^|\/)node_modules\//.test(place));

  test('has a hash for everything that is downloaded', () => {
    const unproved = installed.filter((place) => {
      const { integrity, link = false } = lock.packages[place];
      return integrity === undefined && !link;
    });
    expect(unproved).toEqual([]);
  });

  // A registry that lacks a platform leaves it out, and `npm ci` then refuses the lockfile elsewhere.
  test('has the packages of every platform', () => {
    const missing = places.flatMap((place) =>
      Object.keys(lock.packages[place].optionalDependencies ?? {}).filter(
        (name) =>
          !places.includes(`${place}/node_modules/${name}`) && !places.includes(`node_modules/${name}`),
      ),
    );
    expect(missing).toEqual([]);
  });
});
