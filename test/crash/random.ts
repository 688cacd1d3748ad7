/** Random numbers from 0 to 1 that a seed repeats (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The choices of a seeded generator. */
export type Chance = ReturnType<typeof makeChance>;
export function makeChance(random: () => number) {
  return {
    between: (low: number, high: number) => low + random() * (high - low),
    whole: (low: number, high: number) => low + Math.floor(random() * (high - low + 1)),
    oneOf<const L extends readonly [unknown, ...unknown[]]>(list: L): L[number] {
      return list[Math.floor(random() * list.length)] ?? list[0];
    },
  };
}
