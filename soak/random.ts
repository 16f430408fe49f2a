/** Repeatable randomness: the same seed and name give the same choices. */
export interface Random {
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  chance(share: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** One of the names, with a probability in proportion to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
}

export function seededRandom(seed: number, name: string): Random {
  let state = Number(BigInt.asUintN(32, BigInt(Bun.hash(`${seed}/${name}`))));

  /** Mulberry32: small, fast, and good enough to spread choices. From 0 up to 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function pick<T>(choices: readonly T[]): T {
    const chosen = choices[Math.floor(next() * choices.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  }

  return {
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (share) => next() < share,
    pick,
    weighted(weights) {
      const names = Object.keys(weights).filter((name): name is keyof typeof weights => name in weights);
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0);
      return names.find((name) => (left -= weights[name]) < 0) ?? pick(names);
    },
  };
}
