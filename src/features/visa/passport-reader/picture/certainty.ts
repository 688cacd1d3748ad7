import { ALPHABET, BLANK } from './network.ts';
import { SIGNS_BY_PLACE, type CheckDigit, type Places, type ZoneFormat } from './zone-formats.ts';

/** How probable each sign is (`ALPHABET`), one place behind the other: of those that may stand there, and of all. */
export type LineSigns = { readonly allowed: Float64Array; readonly any: Float64Array };

/** A character that could be another one as well: its line and its place there, both from 1. */
export type Doubt = { readonly line: number; readonly place: number };

/** A part of the lines that the form asks. */
type ZonePart = 'passportNumber' | 'dateOfBirth' | 'passportExpiryDate' | 'names' | 'nationality';

/** What the lines say, which characters could be others as well, and which parts have none of these. */
export type Certainty = {
  readonly text: string;
  readonly doubts: readonly Doubt[];
  readonly sure: Readonly<Record<ZonePart, boolean>>;
  /** All check digits hold. */
  readonly isHeld: boolean;
};

/** A sign that is at least so probable could stand there. Measured on drawings: see `read-picture.test.ts`. */
const POSSIBLE = 0.01;
/** The same where no check digit covers it. */
const POSSIBLE_UNCHECKED = 0.02;
/** A sign that would be so probable, were it allowed there, is one that this print does not tell from what stands there. */
const MIXED_UP = 0.1;

const signsAt = (signs: Float64Array | undefined, place: number): Float64Array =>
  (signs ?? new Float64Array()).subarray(place * BLANK, (place + 1) * BLANK);

/** What could stand at each place of each line, the likeliest first, by its place in `ALPHABET`. */
type PossibleSigns = readonly (readonly (readonly number[])[])[];

function possibleIn(format: ZoneFormat, lines: readonly LineSigns[]): PossibleSigns {
  const mixedUp = mixedUpIn(format, lines);
  const covered = new Set(
    Object.values(format.checks).flatMap((check) => placesOf(check).map(({ key }) => key)),
  );
  return format.places.map((places, line) =>
    Array.from(places, (kind, place) => {
      const probable = signsAt(lines[line]?.allowed, place);
      const allowed = SIGNS_BY_PLACE[kind] ?? '';
      const least = covered.has(keyOf(line, place)) ? POSSIBLE : POSSIBLE_UNCHECKED;
      const ranked = Array.from(allowed, (sign) => ALPHABET.indexOf(sign)).sort(
        (a, b) => (probable[b] ?? 0) - (probable[a] ?? 0),
      );
      const [first = 0] = ranked;
      // Of a place where nothing was seen nothing is known.
      if ((probable[first] ?? 0) === 0) return ranked;
      const twins = mixedUp.get(first);
      return ranked.filter(
        (sign) => sign === first || (probable[sign] ?? 0) >= least || twins?.has(sign),
      );
    }),
  );
}

/**
 * Signs that this very print does not tell apart: where only digits or only letters may stand, what else the network would
 * have read. A document whose zeros in the dates look like O has zeros in its number that do.
 */
function mixedUpIn(
  format: ZoneFormat,
  lines: readonly LineSigns[],
): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, Set<number>>();
  const add = (one: number, other: number) =>
    found.set(one, (found.get(one) ?? new Set()).add(other));
  for (const [line, places] of format.places.entries()) {
    for (const [place, kind] of Array.from(places).entries()) {
      const allowed = SIGNS_BY_PLACE[kind] ?? '';
      const probable = signsAt(lines[line]?.allowed, place);
      const first = probable.indexOf(Math.max(...probable));
      for (const [sign, value] of signsAt(lines[line]?.any, place).entries()) {
        if (value < MIXED_UP || allowed.includes(ALPHABET.charAt(sign))) continue;
        add(first, sign);
        add(sign, first);
      }
    }
  }
  return found;
}

const keyOf = (line: number, place: number): string => `${line} ${place}`;

/** A place that check digits cover, and what its sign counts: in the part's own, and in the one over all. */
type Counted = { line: number; place: number; key: string; own: number; all: number };

/** ICAO Doc 9303-3, section 4.9. */
const WEIGHTS = [7, 3, 1];
const valueOf = (sign: number): number => (sign === BLANK - 1 ? 0 : sign);

/** What a check digit covers, with its weights, and the digit itself, which takes the sum to a multiple of ten. */
function placesOf({
  covers,
  digit,
}: CheckDigit): { line: number; place: number; key: string; weight: number }[] {
  const listed = covers.flatMap(({ line, from, to }) =>
    Array.from({ length: to - from }, (_, index) => ({ line, place: from + index })),
  );
  return [
    ...listed.map((one, index) => ({ ...one, weight: WEIGHTS[index % 3] ?? 0 })),
    { line: digit.line, place: digit.from, weight: -1 },
  ].map((one) => ({ ...one, key: keyOf(one.line, one.place) }));
}

/** The places of each check digit, and last those that only the one over all covers. */
function countedIn({ checks: { composite, ...parts } }: ZoneFormat): Counted[][] {
  const all = placesOf(composite);
  const weightInAll = new Map(all.map(({ key, weight }) => [key, weight]));
  const own = Object.values(parts).map((check) =>
    placesOf(check).map(({ weight, ...one }) => ({
      ...one,
      own: weight,
      all: weightInAll.get(one.key) ?? 0,
    })),
  );
  const inParts = new Set(own.flat().map(({ key }) => key));
  const rest = all
    .filter(({ key }) => !inParts.has(key))
    .map(({ weight, ...one }) => ({ ...one, own: 0, all: weight }));
  return [...own, rest];
}

const RESIDUES = 10;
const modulo = (value: number): number => ((value % RESIDUES) + RESIDUES) % RESIDUES;

/** Which pairs of sums, modulo ten, can be: of the part's own check digit and of the one over all, one row after another. */
type Sums = Uint8Array;
const sumsOf = (own: number, all: number): Sums => {
  const sums = new Uint8Array(RESIDUES * RESIDUES);
  sums[own * RESIDUES + all] = 1;
  return sums;
};

function plus(sums: Sums, counted: Counted, signs: readonly number[]): Sums {
  const out = new Uint8Array(sums.length);
  for (const sign of signs) {
    const [own, all] = [valueOf(sign) * counted.own, valueOf(sign) * counted.all];
    for (const [index, is] of sums.entries()) {
      if (is === 0) continue;
      const at = modulo(Math.floor(index / RESIDUES) + own) * RESIDUES + modulo(index + all);
      out[at] = 1;
    }
  }
  return out;
}

/** What the sum over all can be where the part's own is a multiple of ten. */
const fitting = (before: Sums, behind: Sums): boolean[] => {
  const out = Array.from({ length: RESIDUES }, () => false);
  for (const [index, is] of before.entries()) {
    if (is === 0) continue;
    const own = modulo(-Math.floor(index / RESIDUES));
    for (let all = 0; all < RESIDUES; all += 1) {
      if (behind[own * RESIDUES + all] === 1) out[modulo(index + all)] = true;
    }
  }
  return out;
};

/**
 * For each place that check digits cover, what can stand there so that all check digits hold, whatever of what is possible
 * stands at the others. By `keyOf`; of none there is nothing where no combination holds.
 */
function consistentSigns(
  format: ZoneFormat,
  possible: PossibleSigns,
): ReadonlyMap<string, readonly number[]> {
  const signsOf = ({ line, place }: Counted) => possible[line]?.[place] ?? [];
  const parts = countedIn(format).map((places) => {
    const before: Sums[] = [sumsOf(0, 0)];
    for (const [index, counted] of places.entries()) {
      before.push(plus(before[index] ?? sumsOf(0, 0), counted, signsOf(counted)));
    }
    const behind: Sums[] = [sumsOf(0, 0)];
    for (const counted of [...places].reverse()) {
      behind.unshift(plus(behind[0] ?? sumsOf(0, 0), counted, signsOf(counted)));
    }
    return { places, before, behind, all: fitting(sumsOf(0, 0), behind[0] ?? sumsOf(0, 0)) };
  });
  return new Map(
    parts.flatMap(({ places, before, behind }, part) => {
      const others = parts
        .filter((_, index) => index !== part)
        .reduce((sums, { all }) => added(sums, all), [true, ...Array(RESIDUES - 1).fill(false)]);
      return places.map((counted, index) => {
        const start = before[index] ?? sumsOf(0, 0);
        const rest = behind[index + 1] ?? sumsOf(0, 0);
        const signs = signsOf(counted).filter(
          (sign) => added(others, fitting(plus(start, counted, [sign]), rest))[0],
        );
        return [counted.key, signs] as const;
      });
    }),
  );
}

function added(some: readonly boolean[], others: readonly boolean[]): boolean[] {
  return some.map((_, sum) => some.some((is, one) => is && others[modulo(sum - one)] === true));
}

/**
 * What the lines say, and what of it is sure. A character that check digits cover is sure where they tell it from every
 * other that could stand there, whatever could stand at the other places: 0, A, K and U count alike, and two wrong ones can
 * outweigh each other. One that no check digit covers is sure where no other could stand there.
 */
export function measureCertainty(format: ZoneFormat, lines: readonly LineSigns[]): Certainty {
  const possible = possibleIn(format, lines);
  const consistent = consistentSigns(format, possible);
  const isHeld = [...consistent.values()].every((signs) => signs.length > 0);
  const chosen = isHeld ? oneOf(format, possible, consistent) : possible;
  const places = possible.map((line, lineIndex) =>
    line.map((signs, place) => {
      const left = isHeld ? (consistent.get(keyOf(lineIndex, place)) ?? signs) : signs;
      const [sign = 0] = chosen[lineIndex]?.[place] ?? [];
      return {
        sign: ALPHABET.charAt(sign),
        isSure: left.length === 1,
        isCorrected: sign !== signs[0],
      };
    }),
  );
  const text = places.map((line) => line.map(({ sign }) => sign).join(''));
  const placesIn = ({ line, from, to }: Places) => places[line]?.slice(from, to) ?? [];
  const isSure = (some: Places) => placesIn(some).every((one) => one.isSure);
  // With two characters taken for less likely ones, a check digit would hold by chance.
  const isPartSure = ({ covers, digit }: CheckDigit) => {
    const all = [...covers, digit].flatMap(placesIn);
    const corrected = all.filter((one) => one.isCorrected).length;
    return isHeld && corrected <= 1 && all.every((one) => one.isSure);
  };
  const { checks, names, nationality } = format;
  return {
    text: text.join('\n'),
    isHeld,
    doubts: places.flatMap((line, index) =>
      line.flatMap((one, place) => (one.isSure ? [] : [{ line: index + 1, place: place + 1 }])),
    ),
    sure: {
      passportNumber: isPartSure(checks.passportNumber),
      dateOfBirth: isPartSure(checks.dateOfBirth),
      passportExpiryDate: isPartSure(checks.passportExpiryDate),
      names: isSure(names) && NAMES.test(text[names.line]?.slice(names.from, names.to) ?? ''),
      nationality: isSure(nationality),
    },
  };
}

/** One of the combinations with which all check digits hold: at each place in turn the likeliest sign that still can be. */
function oneOf(
  format: ZoneFormat,
  possible: PossibleSigns,
  consistent: ReadonlyMap<string, readonly number[]>,
): PossibleSigns {
  const left = possible.map((line, index) =>
    line.map((signs, place) => consistent.get(keyOf(index, place)) ?? signs),
  );
  for (const [line, places] of left.entries()) {
    for (const [place, signs] of places.entries()) {
      if (signs.length === 1 || !consistent.has(keyOf(line, place))) continue;
      const still = consistentSigns(format, left).get(keyOf(line, place)) ?? signs;
      places[place] = still.slice(0, 1);
    }
  }
  return left;
}

/** Last names, then first names where there are any, then nothing else. */
const NAMES = /^[A-Z]+(?:<[A-Z]+)*(?:<<[A-Z]+(?:<[A-Z]+)*)?<*$/;
