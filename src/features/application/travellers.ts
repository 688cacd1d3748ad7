import type { PlainDate } from '~/base/dates/dates.ts';
import { fullName } from './full-name.ts';

/** Most travellers in one order. */
export const MAX_TRAVELLERS = 10;

/** What the API asks about one person, alike for an e-visa and an insurance. */
export type Traveller = {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  dateOfBirth: PlainDate;
  /** Code of the country of the travel document. */
  nationality: string;
  travelDocument: string;
  passportNumber: string;
  placeOfBirth: string | null;
};

/** The insurance of the same traveller beside a visa in an order; null where there is none. */
export const travellerInsurance = <
  A extends { kind: 'visa' | 'insurance'; travellerPosition: number },
>(
  together: readonly A[],
  { travellerPosition }: { travellerPosition: number },
): A | null =>
  together.find((one) => one.kind === 'insurance' && one.travellerPosition === travellerPosition) ??
  null;

/** Whether an application is the insurance of a traveller who has no e-visa in the order. */
export const isInsuredAlone = <A extends { kind: 'visa' | 'insurance'; travellerPosition: number }>(
  { kind, travellerPosition }: A,
  together: readonly A[],
): boolean =>
  kind === 'insurance' &&
  !together.some((one) => one.kind === 'visa' && one.travellerPosition === travellerPosition);

type OfTraveller = { travellerPosition: number };

/** A traveller's number shows that traveller alone, so fellow travellers' applications are filtered by this. */
export const isSameTraveller = (one: OfTraveller, other: OfTraveller): boolean =>
  one.travellerPosition === other.travellerPosition;

/** Whether what an order holds is of more than one traveller. */
export const hasSeveralTravellers = (together: readonly OfTraveller[]): boolean =>
  new Set(together.map(({ travellerPosition }) => travellerPosition)).size > 1;

/** An order's applications by traveller, in their order: an e-visa before its insurance. */
export function byTraveller<A extends OfTraveller & { kind: 'visa' | 'insurance' }>(
  together: readonly A[],
): { position: number; applications: A[] }[] {
  const positions = [...new Set(together.map(({ travellerPosition }) => travellerPosition))];
  return positions
    .sort((one, other) => one - other)
    .map((position) => ({
      position,
      applications: together
        .filter(({ travellerPosition }) => travellerPosition === position)
        .sort((one, other) => Number(one.kind !== 'visa') - Number(other.kind !== 'visa')),
    }));
}

/** The moment by which all e-visas of an order are promised; null where they differ or one has none. */
export function sharedPromise(
  together: readonly { kind: 'visa' | 'insurance'; promisedAt: Date | null }[],
): Date | null {
  const visas = together.filter(({ kind }) => kind === 'visa');
  const first = visas[0]?.promisedAt ?? null;
  return visas.every(({ promisedAt }) => promisedAt?.getTime() === first?.getTime()) ? first : null;
}

/** For whom each application of an order is, by its number; empty for one traveller. */
export function travellersByNumber(
  together: readonly (OfTraveller & { number: string; firstName: string; lastName: string })[],
): ReadonlyMap<string, { position: number; name: string }> {
  if (!hasSeveralTravellers(together)) return new Map();
  return new Map(
    together.map(({ number, travellerPosition: position, firstName, lastName }) => [
      number,
      { position, name: fullName({ firstName, lastName }) },
    ]),
  );
}
