import { createContext } from 'react-router';
import type { PlainDate } from '~/base/dates/dates.ts';
import type { Money } from '~/base/money.ts';
import type { Outcome } from '~/base/outcome.ts';
import type { NewLine } from '~/features/order/store.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import type { NewRow } from '~/platform/jobs/store-together.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';

/** The person of a visa application, under the names that other applications use. */
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

export type AddOnChoice = {
  id: string;
  /** In English, for a choice that `application:service` has no words for. */
  name: string;
  price: Money;
  /** The last day that it is good for. */
  until: PlainDate;
};

/** What can be taken along, the suggestion first. */
export type AddOnOffer = {
  choices: readonly AddOnChoice[];
  suggested: string;
  /** Who insures, and under which version the terms are kept. */
  terms: { insurer: string | null; version: number };
};

/** When something is offered and sold, and by which settings. Not to be asked inside a transaction. */
export type Sale = { db: Database; settings: Settings; now: Date };

/** What an order can take along beside a visa: another feature's, handed in by the composition. */
export type AddOn = {
  /** Null where there is nothing to offer. `stayDays`: the longest stay that the visa allows. */
  offer: (
    at: Sale,
    about: { dateOfBirth: PlainDate; arrivalDate: PlainDate; stayDays: number },
  ) => Promise<AddOnOffer | null>;
  /** Holds what an order takes along until the transaction ends. */
  hold: (tx: Transaction, applicationId: string) => Promise<void>;
  /** What is to be stored by the statement that stores the visa, as long as the settings are those; the line is for the order of both. */
  add: (
    at: Sale,
    sealer: Sealer,
    taken: { traveller: Traveller; arrivalDate: PlainDate; choice: string; orderNumber: string },
    language: string,
  ) => Promise<Outcome<{ applicationNumber: string; line: NewLine; rows: NewRow[] }, string>>;
  /** What an unpaid order takes along becomes what the changed visa asks for, under its own number. */
  change: (
    tx: Transaction,
    sealer: Sealer,
    applicationId: string,
    taken: { traveller: Traveller; arrivalDate: PlainDate; choice: string; orderNumber: string },
    submission: { language: string; now: Date },
  ) => Promise<Outcome<{ line: NewLine }, string>>;
  /** It is taken along no more: it was never paid, and nothing is kept of it. */
  drop: (tx: Transaction, applicationId: string) => Promise<void>;
};

/** Null where nothing can be taken along. */
export const addOnContext = createContext<AddOn | null>(null);
