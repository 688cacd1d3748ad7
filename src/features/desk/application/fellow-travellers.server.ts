import { applicationsOfOrder, type Application } from '~/features/application/store.server.ts';
import { areSeveral, byTraveller } from '~/features/application/travellers.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { listedName } from '~/features/application/full-name.ts';

export type FellowTravellers = {
  orderNumber: string;
  /** Which of them the application is of, from 1. */
  place: number;
  /** Each with the application of the same kind, or another one where there is none. */
  travellers: { number: string; name: string }[];
};

/** The travellers of an application's order; null for an order of one. */
export async function fellowTravellers(
  db: Queryable,
  found: Application,
): Promise<FellowTravellers | null> {
  // An order of one application has that application's number.
  if (found.orderNumber === found.number) return null;
  const together = await applicationsOfOrder(db, found.orderNumber);
  if (!areSeveral(together)) return null;
  const everybody = byTraveller(together);
  const place = everybody.findIndex(({ position }) => position === found.travellerPosition) + 1;
  const travellers = everybody.flatMap(({ applications }) => {
    const shown = applications.find(({ kind }) => kind === found.kind) ?? applications[0];
    return shown ? [{ number: shown.number, name: listedName(shown) }] : [];
  });
  return { orderNumber: found.orderNumber, place, travellers };
}
