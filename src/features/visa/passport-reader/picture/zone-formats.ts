/** Places of a line, counted from 0: from one to before another. */
export type Places = { readonly line: number; readonly from: number; readonly to: number };

/** What a check digit covers, in this order, and where it stands itself. */
export type CheckDigit = { readonly covers: readonly Places[]; readonly digit: Places };

/** The sizes of machine-readable documents: passports are TD3, cards TD1 or TD2. */
export type ZoneFormat = {
  /** How many, and how many characters each of them has. */
  readonly lines: number;
  readonly characters: number;
  /** The line that ends with the names, counted from 0. */
  readonly nameLine: number;
  /** What can stand in each place of each line, by the letters of `SIGNS_BY_PLACE`. */
  readonly places: readonly string[];
  /** Whose the check digits are; `rest` is other data, `composite` covers all once more. */
  readonly checks: Readonly<
    Record<'passportNumber' | 'dateOfBirth' | 'passportExpiryDate', CheckDigit>
  > & {
    readonly rest?: CheckDigit;
    readonly composite: CheckDigit;
  };
  readonly names: Places;
  readonly nationality: Places;
};

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';

/** `k`: the kind of document; `a`: a letter; `n`: a digit; `x`: either; `c`: a digit and no filler; `m`, `d`: the first digit of a month or day; `s`: the sex. */
export const SIGNS_BY_PLACE: Readonly<Record<string, string>> = {
  k: 'ACIP',
  a: `${LETTERS}<`,
  n: `${DIGITS}<`,
  c: DIGITS,
  x: `${LETTERS}${DIGITS}<`,
  m: '01<',
  d: '0123<',
  s: 'FMX<',
};

const DATE = 'nnmndn';

const at = (line: number, from: number, to: number): Places => ({ line, from, to });
/** A check digit stands behind what it covers. */
const behind = (covered: Places): CheckDigit => ({
  covers: [covered],
  digit: at(covered.line, covered.to, covered.to + 1),
});

/** TD2 and TD3 agree in all but what is behind the dates. */
const lowerChecks = {
  passportNumber: behind(at(1, 0, 9)),
  dateOfBirth: behind(at(1, 13, 19)),
  passportExpiryDate: behind(at(1, 21, 27)),
};
const lowerComposite = (length: number): CheckDigit => ({
  covers: [at(1, 0, 10), at(1, 13, 20), at(1, 21, length - 1)],
  digit: at(1, length - 1, length),
});

/** ICAO Doc 9303, parts 4 (TD3), 5 (TD1) and 6 (TD2). */
export const zoneFormats = {
  TD3: {
    lines: 2,
    characters: 44,
    nameLine: 0,
    places: [`k${'a'.repeat(43)}`, `${'x'.repeat(9)}naaa${DATE}cs${DATE}c${'x'.repeat(14)}nc`],
    checks: { ...lowerChecks, rest: behind(at(1, 28, 42)), composite: lowerComposite(44) },
    names: at(0, 5, 44),
    nationality: at(1, 10, 13),
  },
  TD2: {
    lines: 2,
    characters: 36,
    nameLine: 0,
    places: [`k${'a'.repeat(35)}`, `${'x'.repeat(9)}naaa${DATE}cs${DATE}c${'x'.repeat(7)}c`],
    checks: { ...lowerChecks, composite: lowerComposite(36) },
    names: at(0, 5, 36),
    nationality: at(1, 10, 13),
  },
  TD1: {
    lines: 3,
    characters: 30,
    nameLine: 2,
    places: [
      `kaaaa${'x'.repeat(9)}n${'x'.repeat(15)}`,
      `${DATE}cs${DATE}caaa${'x'.repeat(11)}c`,
      'a'.repeat(30),
    ],
    checks: {
      passportNumber: behind(at(0, 5, 14)),
      dateOfBirth: behind(at(1, 0, 6)),
      passportExpiryDate: behind(at(1, 8, 14)),
      composite: {
        covers: [at(0, 5, 30), at(1, 0, 7), at(1, 8, 15), at(1, 18, 29)],
        digit: at(1, 29, 30),
      },
    },
    names: at(2, 0, 30),
    nationality: at(1, 15, 18),
  },
} as const satisfies Readonly<Record<string, ZoneFormat>>;

/** The format that has so many lines of so many characters. */
export const findZoneFormat = (lines: number, characters: number): ZoneFormat | undefined =>
  Object.values<ZoneFormat>(zoneFormats).find(
    (format) => format.lines === lines && format.characters === characters,
  );
