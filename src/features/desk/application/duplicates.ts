import type { ApplicationStatus } from '~/features/application/status-machine.ts';

/** The compared facts, and what a list shows. Days are `YYYY-MM-DD`, so that they can be compared as texts. */
export type TripFacts = {
  id: string;
  kind: 'visa' | 'insurance';
  number: string;
  name: string;
  /** Names in lower case, and birth date. */
  person: string;
  status: ApplicationStatus;
  paid: boolean;
  orderNumber: string;
  /** In lower case. */
  email: string;
  from: string;
  /** The last day of the stay that the visa allows, or of the insured trip. */
  until: string;
  /** Keyed hash, in hexadecimal. */
  passport: string;
  /** Hashes of passports that it named before a correction. */
  earlier: readonly string[];
};

/**
 * `passport_before`: one of the two named the other's passport before a correction. `person`: the same name and birth
 * date in one order.
 */
const duplicateReasons = ['passport', 'passport_before', 'person', 'email'] as const;
export type DuplicateReason = (typeof duplicateReasons)[number];

/**
 * Why two applications of one kind may be duplicates: the same passport on overlapping days; a traveller entered twice
 * in one order, by name and birth date; the same email and first day in two orders (fellow travellers of one order
 * share them anyway). A visa and its insurance are of different kinds.
 */
export function findDuplicateReasons(one: TripFacts, other: TripFacts): DuplicateReason[] {
  if (one.id === other.id || one.kind !== other.kind) return [];
  const overlap = one.from <= other.until && other.from <= one.until;
  const reasons: DuplicateReason[] = [];
  if (overlap && one.passport === other.passport) reasons.push('passport');
  else if (overlap && sharesPassport(one, other)) reasons.push('passport_before');
  const isApart = one.orderNumber !== other.orderNumber;
  if (!isApart && one.person === other.person) reasons.push('person');
  if (isApart && one.email === other.email && one.from === other.from) reasons.push('email');
  return reasons;
}

/** A possible duplicate that nobody has dismissed. */
export type OpenDuplicate = {
  number: string;
  name: string;
  status: ApplicationStatus;
  reasons: readonly DuplicateReason[];
};

/**
 * Whether two applications seem to be of one person, not only of one mailbox: a family that orders one by one shares
 * that.
 */
export const isSamePerson = (reasons: readonly DuplicateReason[]): boolean =>
  reasons.some((reason) => reason !== 'email');

const passportsOf = ({ passport, earlier }: TripFacts) => [passport, ...earlier];
const sharesPassport = (one: TripFacts, other: TripFacts) =>
  passportsOf(one).some((hash) => passportsOf(other).includes(hash));

/** A text of the pair's facts, equal as long as none of them changes. */
export function pairText(one: TripFacts, other: TripFacts): string {
  const [first, second] = sortPair(one, other);
  const factsOf = (of: TripFacts) => [
    of.id,
    of.email,
    of.person,
    of.from,
    of.until,
    passportsOf(of).toSorted(),
  ];
  return JSON.stringify([factsOf(first), factsOf(second)]);
}

/** The two in one order, whichever side asks. */
export const sortPair = <T extends { id: string }>(one: T, other: T): readonly [T, T] =>
  one.id < other.id ? [one, other] : [other, one];
