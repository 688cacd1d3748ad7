import { formatNumber } from '~/base/format-number.ts';
import { formatMoney, usd, type Money } from '~/base/money.ts';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import { hasSeveralTravellers } from '~/features/application/travellers.ts';
import { payRefusal } from '~/features/order/may-pay.ts';
import { orderByNumber, type Order } from '~/features/order/store.server.ts';
import { refundById } from '~/features/payment/settlement/refund-store.server.ts';
import { attemptById } from '~/features/payment/settlement/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import {
  payerEmail,
  type ApplicationKind,
  type FoundEmail,
  refundArrivalText,
  statusPage,
  type EmailWords,
} from './kind.server.ts';

type AboutMoney = 'closedPaid' | 'paidTwice' | 'otherAmount' | 'held';

/**
 * About a payment that buys nothing, or nothing yet. `held`: its provider checks it. `closedPaid`: it came after the application was closed, and will be refunded.
 * `paidTwice`: the order was paid already; refunded. `otherAmount`: the order's amount had changed; refunded.
 */
function lateCaptureEmail(
  words: EmailWords,
  what: AboutMoney,
  order: Pick<Order, 'number'>,
  paid: Money,
  { isOfSeveral, greeting }: { isOfSeveral: boolean; greeting: string },
): EmailContent {
  const { t, language } = words;
  const amount = formatMoney(paid, language);
  const number = formatNumber(order.number);
  // The texts about a second payment name the order in any case.
  const isOrder = isOfSeveral && what === 'closedPaid';
  return {
    language,
    subject: t(`${what}.subject`, { number }),
    preview: t(`${what}.preview`, { amount }),
    heading: t(isOrder ? 'several.closedHeading' : `${what}.heading`),
    greeting,
    paragraphs: [
      t(isOrder ? 'several.closedText' : `${what}.text`, { amount }),
      t(`${what}.next`),
      ...(what === 'held' ? [] : [refundArrivalText(words)]),
    ],
    numbers: {
      label: isOfSeveral ? t('received.order') : t('number', { count: 1 }),
      values: [number],
    },
    button: {
      label: t('received.button'),
      href: statusPage(words, order),
    },
    note: null,
    sections: [],
    closing: [words.reply, t('team')],
    footer: words.footer,
  };
}

/** Subject: the number of an order that was closed before its money came. */
export const paidClosed: ApplicationKind = {
  find: async ({ db }, orderNumber) => {
    const order = await orderByNumber(db, orderNumber);
    if (!order?.paidAt || order.lab) return null;
    return aboutMoney(db, order, 'closedPaid', usd(order.amountMinor));
  },
};

/** Subject: the id of the refund of a second payment, or of one at an amount that was no longer due. */
export const returned: ApplicationKind = {
  find: async ({ db }, refundId) => {
    const refund = await refundById(db, refundId);
    const attempt = refund && (await attemptById(db, refund.attemptId));
    const order = attempt && (await orderByNumber(db, attempt.reference));
    if (!order || order.lab || refund?.state !== 'completed') return null;
    const what = refund.reason === 'superseded' ? 'otherAmount' : 'paidTwice';
    return aboutMoney(db, order, what, usd(refund.amountMinor));
  },
};

/** A payment that its provider holds; nothing once it is decided. Subject: the attempt's id. */
export const held: ApplicationKind = {
  find: async ({ db }, attemptId) => {
    const attempt = await attemptById(db, attemptId);
    const order = attempt && (await orderByNumber(db, attempt.reference));
    if (!order || order.lab || attempt?.state !== 'pending') return null;
    if (payRefusal(order, [attempt]) !== 'held') return null;
    return aboutMoney(db, order, 'held', usd(attempt.amountMinor));
  },
};

/** `amount`: what the email is about. */
async function aboutMoney(
  db: Queryable,
  order: Order,
  what: AboutMoney,
  amount: Money,
): Promise<FoundEmail> {
  const applications = await applicationsByOrder(db, order.number);
  const isOfSeveral = hasSeveralTravellers(applications);
  return payerEmail(db, order, applications, (words, greeting) =>
    lateCaptureEmail(words, what, order, amount, { isOfSeveral, greeting }),
  );
}
