/** A pair of matching items, or one without a match. */
export interface Aligned<Item> {
  readonly left: Item | undefined;
  readonly right: Item | undefined;
}

/** Above this many cells, items are not compared one by one; equal names are then paired in order. */
const MOST_CELLS = 4_000_000;

/** Pairs two lists so that as many items as possible stand next to one of the same name, in order. */
export function align<Item>(
  left: readonly Item[],
  right: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Aligned<Item>[] {
  const same = (one: number, two: number): boolean => {
    const [a, b] = [left[one], right[two]];
    return a !== undefined && b !== undefined && nameOf(a) === nameOf(b);
  };
  let start = 0;
  while (start < left.length && same(start, start)) start += 1;
  let end = 0;
  while (end < left.length - start && same(left.length - 1 - end, right.length - 1 - end)) end += 1;
  end = Math.min(end, right.length - start);
  const middle = alignMiddle(
    left.slice(start, left.length - end),
    right.slice(start, right.length - end),
    nameOf,
  );
  const before = left.slice(0, start).map((item, index) => ({ left: item, right: right[index] }));
  const tail = left.slice(left.length - end);
  const after = tail.map((item, index) => ({ left: item, right: right[right.length - end + index] }));
  return [...before, ...middle, ...after];
}

function alignMiddle<Item>(
  left: readonly Item[],
  right: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Aligned<Item>[] {
  if (left.length * right.length > MOST_CELLS) return pairInOrder(left, right, nameOf);
  const lengths = commonLengths(left.map(nameOf), right.map(nameOf));
  const width = right.length + 1;
  const aligned: Aligned<Item>[] = [];
  let [one, two] = [0, 0];
  while (one < left.length || two < right.length) {
    const [a, b] = [left[one], right[two]];
    const skipLeft = lengths[(one + 1) * width + two] ?? 0;
    const skipRight = lengths[one * width + two + 1] ?? 0;
    if (a !== undefined && b !== undefined && nameOf(a) === nameOf(b)) {
      aligned.push({ left: a, right: b });
      [one, two] = [one + 1, two + 1];
    } else if (b === undefined || (a !== undefined && skipLeft >= skipRight)) {
      aligned.push({ left: a, right: undefined });
      one += 1;
    } else {
      aligned.push({ left: undefined, right: b });
      two += 1;
    }
  }
  return aligned;
}

/** For each pair of positions, how many names the remainders have in common; row by row in one array. */
function commonLengths(left: readonly string[], right: readonly string[]): Uint32Array {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let one = left.length - 1; one >= 0; one -= 1) {
    for (let two = right.length - 1; two >= 0; two -= 1) {
      const at = one * width + two;
      lengths[at] =
        left[one] === right[two]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  return lengths;
}

function pairInOrder<Item>(
  left: readonly Item[],
  right: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Aligned<Item>[] {
  const waiting = new Map<string, { readonly items: Item[]; taken: number }>();
  for (const item of right) {
    const queue = waiting.get(nameOf(item)) ?? { items: [], taken: 0 };
    queue.items.push(item);
    waiting.set(nameOf(item), queue);
  }
  const pairs = left.map((item) => {
    const queue = waiting.get(nameOf(item));
    return { left: item, right: queue?.items[queue.taken++] };
  });
  const rest = [...waiting.values()].flatMap(({ items, taken }) => items.slice(taken));
  return [...pairs, ...rest.map((item) => ({ left: undefined, right: item }))];
}
