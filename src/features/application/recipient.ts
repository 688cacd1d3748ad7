import { toPlainDate, isMinor, parseDate, UTC } from '~/base/dates/dates.ts';
import { fullName } from './full-name.ts';

export type Recipient = {
  to: string;
  /** The name in the email's greeting. */
  name: string;
  /** The one with that name is under 18: a parent is addressed. */
  isChild: boolean;
  language: string;
  /** The traveller's name where somebody else is addressed in their place; null where the traveller is. */
  onBehalfOf: string | null;
};

type Applied = {
  email: string;
  firstName: string;
  lastName: string;
  language: string;
  dateOfBirth: string;
  travellerPosition: number;
};
type Paid = {
  customerEmail: string;
  customerName: string;
  language: string;
  createdAt: Date;
  paidAt: Date | null;
};

/**
 * To whom we write about one application: to its traveller; to the payer about a fellow traveller who was under 18 when
 * the order was paid, or who gave the payer's own address. Case of addresses is ignored. `first`: the order's first
 * traveller, who is the payer: needed for the greeting alone.
 */
export function emailRecipient(
  application: Applied,
  order: Paid,
  first: Applied = application,
): Recipient {
  const { email, language, travellerPosition } = application;
  const name = fullName(application);
  const isChild = isChildAtPayment(application, order);
  const sharesAddress = email.toLowerCase() === order.customerEmail.toLowerCase();
  if (travellerPosition === 1 || !(isChild || sharesAddress)) {
    return { to: email, name, isChild, language, onBehalfOf: isChild ? name : null };
  }
  return {
    to: order.customerEmail,
    name: order.customerName,
    isChild: isChildAtPayment(first, order),
    language: order.language,
    onBehalfOf: name,
  };
}

/** Whether a traveller was under 18 when the order was paid, or placed where it is unpaid. */
export function isChildAtPayment(
  { dateOfBirth }: Pick<Applied, 'dateOfBirth'>,
  { paidAt, createdAt }: Pick<Paid, 'paidAt' | 'createdAt'>,
): boolean {
  const birth = parseDate(dateOfBirth);
  return birth !== null && isMinor(birth, toPlainDate(paidAt ?? createdAt, UTC));
}

/** Whether the email about an application goes to the payer's address: a second one would repeat it there. */
export const reachesPayer = (application: Applied, order: Paid): boolean =>
  emailRecipient(application, order).to.toLowerCase() === order.customerEmail.toLowerCase();
