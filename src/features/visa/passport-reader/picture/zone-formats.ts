/** The sizes of machine-readable documents: passports are TD3, cards TD1 or TD2. */
export type ZoneFormat = {
  /** How many, and how many characters each of them has. */
  readonly lines: number;
  readonly characters: number;
  /** The line that ends with the names, counted from 0. */
  readonly nameLine: number;
  /** What can stand in each place of each line: `a` a letter, `n` a digit, `x` either; a filler anywhere. */
  readonly places: readonly string[];
};

/** ICAO Doc 9303, parts 4 (TD3), 5 (TD1) and 6 (TD2). */
export const zoneFormats = {
  TD3: {
    lines: 2,
    characters: 44,
    nameLine: 0,
    places: [
      'a'.repeat(44),
      `${'x'.repeat(9)}naaa${'n'.repeat(7)}a${'n'.repeat(7)}${'x'.repeat(14)}nn`,
    ],
  },
  TD2: {
    lines: 2,
    characters: 36,
    nameLine: 0,
    places: [
      'a'.repeat(36),
      `${'x'.repeat(9)}naaa${'n'.repeat(7)}a${'n'.repeat(7)}${'x'.repeat(7)}n`,
    ],
  },
  TD1: {
    lines: 3,
    characters: 30,
    nameLine: 2,
    places: [
      `aaaaa${'x'.repeat(9)}n${'x'.repeat(15)}`,
      `${'n'.repeat(7)}a${'n'.repeat(7)}aaa${'x'.repeat(11)}n`,
      'a'.repeat(30),
    ],
  },
} as const satisfies Readonly<Record<string, ZoneFormat>>;

/** The format that has so many lines of so many characters. */
export const zoneFormatOf = (lines: number, characters: number): ZoneFormat | undefined =>
  Object.values<ZoneFormat>(zoneFormats).find(
    (format) => format.lines === lines && format.characters === characters,
  );
