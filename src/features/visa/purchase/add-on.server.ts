import { createContext } from 'react-router';
import type { PlainDate } from '~/base/dates/dates.ts';
import type { Money } from '~/base/money.ts';
import type { Outcome } from '~/base/outcome.ts';
import type { Traveller } from '~/features/application/travellers.ts';
import type { NewLine } from '~/features/order/order-lines-store.server.ts';
import type { ServiceCode } from '~/features/order/service-code.ts';
import type { Settings } from '~/features/settings/change.ts';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import type { NewRow } from '~/platform/postgres/store-together.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';

export type AddOnChoice = {
  id: ServiceCode;
  price: Money;
  /** The last day of its cover. */
  until: PlainDate;
};

/** The plans that can be added, the suggested one first. */
export type AddOnOffer = {
  choices: readonly AddOnChoice[];
  suggested: string;
  /** The insurer, and the version of its terms. */
  terms: { insurer: string | null; version: number };
};

/** When something is offered and sold, and by which settings. Not to be used inside a transaction. */
export type Sale = { db: Database; settings: Settings; now: Date };

/**
 * The insurance that can be added to a visa's order. An interface, because the insurance feature is implemented
 * elsewhere: `src/app` passes it in.
 */
export type AddOn = {
  /** Null where there is nothing to offer. `stayDays`: the longest stay that the visa allows. */
  offer: (
    at: Sale,
    about: { dateOfBirth: PlainDate; arrivalDate: PlainDate; stayDays: number },
  ) => Promise<AddOnOffer | null>;
  /** Locks the added application until the transaction ends. */
  lock: (tx: Transaction, applicationId: string) => Promise<void>;
  /**
   * Rows for the statement that stores the visa, valid as long as the settings are; the line is for their common order.
   */
  add: (
    at: Sale,
    sealer: Sealer,
    taken: { traveller: Traveller; arrivalDate: PlainDate; choice: string; orderNumber: string },
    language: string,
  ) => Promise<Outcome<{ applicationNumber: string; line: NewLine; rows: NewRow[] }, string>>;
  /** Changes the insurance in an unpaid order to what the changed visa asks for, under its own number. */
  change: (
    tx: Transaction,
    sealer: Sealer,
    applicationId: string,
    taken: { traveller: Traveller; arrivalDate: PlainDate; choice: string; orderNumber: string },
    submission: { language: string; now: Date },
  ) => Promise<Outcome<{ line: NewLine }, string>>;
  /** Removes it from the order: it was never paid, and nothing of it is kept. */
  drop: (tx: Transaction, applicationId: string) => Promise<void>;
};

/** Null where nothing can be added. */
export const addOnContext = createContext<AddOn | null>(null);
