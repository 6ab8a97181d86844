import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** How many files to count. */
const MOST = 50_000;

/** The total size of the files in a folder; `atLeast` if there are more than the limit. Links are not followed. */
export async function folderSize(
  folder: string,
): Promise<{ readonly bytes: number; readonly atLeast: boolean }> {
  const places = [folder];
  let [bytes, count] = [0, 0];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (count > MOST) return { bytes, atLeast: true };
    const found = await readdir(place, { withFileTypes: true }).catch(() => []);
    const files = found.filter((entry) => entry.isFile()).slice(0, MOST);
    for (const entry of found) if (entry.isDirectory()) places.push(join(place, entry.name));
    count += found.length;
    const sizes = await Promise.all(files.map(({ name }) => sizeOf(join(place as string, name))));
    bytes += sizes.reduce((sum, size) => sum + size, 0);
  }
  return { bytes, atLeast: false };
}

async function sizeOf(path: string): Promise<number> {
  return lstat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
