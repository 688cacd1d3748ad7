import { fullName } from '~/features/application/full-name.ts';
import { isChildAtPayment } from '~/features/application/recipient.ts';
import { applicationById, applicationsByOrder } from '~/features/application/store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { EmailContent, WrittenEmail } from '../layout/content.server.ts';
import type { EmailOccasion } from '../ledger/store.server.ts';
import type { ApplicationEmailKind, EmailKind, JobEmailKind } from '../ledger/tables.server.ts';
import { approved, document } from './approved.server.ts';
import { cancelled, cancelledTraveller } from './cancelled.server.ts';
import { copy } from './copy.server.ts';
import { correction, correctionEnded, correctionReminder } from './correction.server.ts';
import { dateLocked } from './date-locked.server.ts';
import { feastAhead } from './feast-ahead.server.ts';
import {
  type ApplicationKind,
  type FoundEmail,
  type JobKind,
  invitation,
  passwordReset,
  resume,
  emailWords,
  type EmailWords,
} from './kind.server.ts';
import { held, paidClosed, returned } from './late-capture.server.ts';
import { late } from './late.server.ts';
import { numbers } from './numbers.server.ts';
import { priceChange } from './price-change.server.ts';
import { processing } from './processing.server.ts';
import { received } from './received.server.ts';
import { refunded } from './refunded.server.ts';
import { rejected, rejectedPayer } from './rejected.server.ts';
import { unpaid, unpaidReminder } from './unpaid.server.ts';

/** Every kind of email: a missing one does not compile, and `every-kind.test.ts` writes each in each language. */
export const kinds: Readonly<
  Record<ApplicationEmailKind, ApplicationKind> & Record<JobEmailKind, JobKind>
> = {
  approved,
  cancelled,
  cancelled_traveller: cancelledTraveller,
  copy,
  correction,
  correction_ended: correctionEnded,
  correction_reminder: correctionReminder,
  date_locked: dateLocked,
  document,
  feast_ahead: feastAhead,
  held,
  invitation,
  late,
  numbers,
  paid_closed: paidClosed,
  password_reset: passwordReset,
  price_change: priceChange,
  processing,
  received,
  refunded,
  rejected,
  rejected_payer: rejectedPayer,
  resume,
  returned,
  unpaid,
  unpaid_reminder: unpaidReminder,
};

export const isEmailKind = (name: string): name is EmailKind => Object.hasOwn(kinds, name);

/** An email about applications that may be sent. */
type EmailToSend = Omit<FoundEmail, 'write'> & {
  write: () => Promise<WrittenEmail>;
};

/**
 * What is to be said now; null where nothing is. One that would address a child who placed the order alone addresses the
 * parent.
 * @throws Error for a kind that is not sent from the ledger, or that is unknown to this version.
 */
export async function findEmail(
  platform: Platform,
  { kind, about }: EmailOccasion,
): Promise<EmailToSend | null> {
  const source = isEmailKind(kind) ? kinds[kind] : null;
  if (!source || !('find' in source)) {
    throw new Error(`No email of kind ${kind} is sent from the ledger`);
  }
  const found = await source.find(platform, about);
  if (!found) return null;
  return {
    ...found,
    write: async () => {
      const words = emailWords(await withOperator(platform), found.language);
      const content = await toParent(platform, found, await found.write(words), words);
      return { to: found.to, content };
    },
  };
}

async function toParent(
  { db }: Platform,
  { applicationIds }: FoundEmail,
  content: EmailContent,
  { t }: EmailWords,
): Promise<EmailContent> {
  const [id] = applicationIds;
  const one = id === undefined ? null : await applicationById(db, id);
  const order = one && (await orderByNumber(db, one.orderNumber));
  const first = one && (await applicationsByOrder(db, one.orderNumber))[0];
  if (!order || !first || !isChildAtPayment(first, order)) return content;
  const name = fullName(first);
  // An order keeps the name that it was placed with, whatever is corrected in its application.
  const isToChild = [name, order.customerName].some(
    (known) => content.greeting === t('greeting', { name: known }),
  );
  return isToChild ? { ...content, greeting: t('greetingParent', { name }) } : content;
}
