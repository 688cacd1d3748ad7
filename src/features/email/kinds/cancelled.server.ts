import { formatNumber } from '~/base/format-number.ts';
import { formatMoney, usd, type Money } from '~/base/money.ts';
import { fullName } from '~/features/application/full-name.ts';
import {
  applicationById,
  applicationsByOrder,
  type Application,
} from '~/features/application/store.server.ts';
import { linesByOrder, orderById } from '~/features/order/store.server.ts';
import { creditReason } from '~/features/order/receipt/issue-receipt.server.ts';
import type { ReceiptLine } from '~/features/order/receipt/receipt-facts.ts';
import {
  cancellationById,
  linesByRefunds,
  orderRefundById,
} from '~/features/order/refunds/order-refund-store.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import {
  paymentOccasions,
  payerEmail,
  travellerEmail,
  type ApplicationKind,
  aboutApplication,
  refundArrivalText,
  refundPage,
  statusPage,
  type EmailSubject,
  type EmailWords,
} from './kind.server.ts';

type CancelledItems = {
  greeting: string;
  orderNumber: string;
  applications: readonly Pick<
    Application,
    'kind' | 'number' | 'firstName' | 'lastName' | 'rejectionCode' | 'rejectionReason' | 'decidedAt'
  >[];
  /** The payer did it on the status page; otherwise staff, by a refund. */
  isByPayer: boolean;
  /** What is refunded, line by line; null where nothing is. */
  refund: {
    total: Money;
    lines: readonly ReceiptLine[];
  } | null;
};

/** Tells the payer what ended of their order, because they or staff cancelled it, and what is refunded of it. */
export function cancelledEmail(
  words: EmailWords,
  { greeting, orderNumber, applications, isByPayer, refund }: CancelledItems,
): EmailContent {
  const { t, language } = words;
  const amount = refund && formatMoney(refund.total, language);
  const number = formatNumber(orderNumber);
  const items = applications.map((one) => {
    const item = t('cancelled.item', {
      what: words.kind(one.kind),
      name: fullName(one),
      number: formatNumber(one.number).replaceAll(' ', '\u00a0'),
    });
    const reason = isByPayer ? null : words.rejection(one);
    return reason === null ? item : `${item}. ${reason}`;
  });
  return {
    language,
    subject: isByPayer
      ? t('cancelled.subject', { number })
      : t('member.subject', { what: t('cancelled.headingClosed'), number }),
    preview: amount ? t('cancelled.preview', { amount }) : t('cancelled.previewNothing'),
    heading: t(isByPayer ? 'cancelled.heading' : 'cancelled.headingClosed'),
    greeting,
    paragraphs: amount
      ? [t('refund.amount', { amount }), refundArrivalText(words)]
      : [t('cancelled.nothing')],
    numbers: null,
    button: {
      label: t('cancelled.button'),
      href: statusPage(words, { number: orderNumber }),
    },
    note: null,
    sections: [
      {
        kind: 'list',
        title: t(isByPayer ? 'cancelled.list' : 'cancelled.listClosed'),
        items,
      },
      ...(refund && amount
        ? [
            {
              kind: 'receipt',
              title: t('cancelled.lines'),
              rows: refund.lines.map((line) => ({ ...words.row(line), note: words.reason(line) })),
              total: { label: t('cancelled.total'), value: amount },
              facts: [],
              links: [],
            } as const,
          ]
        : []),
    ],
    closing: [
      refundPage(words),
      ...(isByPayer ? [t('cancelled.stranger')] : [words.reply]),
      t('team'),
    ],
    footer: words.footer,
  };
}

/** Tells a traveller that the payer of the order has cancelled their application or insurance. */
export function cancelledTravellerEmail(words: EmailWords, cancelled: EmailSubject): EmailContent {
  const { t } = words;
  const { statusPage, written, other, ...shared } = aboutApplication(words, cancelled);
  const { kind } = cancelled.application;
  return {
    ...shared,
    subject:
      other === null
        ? t('cancelled.subject', { number: written })
        : t('member.subject', { what: t('member.about', { name: other }), number: written }),
    preview: t(`cancelledTraveller.${kind}Heading`),
    heading: t(`cancelledTraveller.${kind}Heading`),
    paragraphs: [t(`cancelledTraveller.${kind}`), t('cancelledTraveller.ask')],
    button: { label: t('cancelled.button'), href: statusPage },
    note: null,
    sections: [],
  };
}

/** Subject: the id of the cancellation, or of a refund by staff that ended applications. */
export const cancelled: ApplicationKind = {
  find: async ({ db }, id) => {
    const byPayer = await cancellationById(db, id);
    const ended = byPayer ?? (await orderRefundById(db, id))?.refund;
    const order = ended && (await orderById(db, ended.orderId));
    if (!ended || !order) return null;
    const applications = (await applicationsByOrder(db, order.number)).filter(
      ({ number, status }) =>
        ended.applicationNumbers.includes(number) && (byPayer || status === 'rejected'),
    );
    const write = async (words: EmailWords, greeting: string) => {
      const found = await orderRefundById(db, id);
      const paid = new Map(
        (await linesByOrder(db, order.id)).map((line) => [line.id, line.amountMinor]),
      );
      const lines = (await linesByRefunds(db, found ? [found.refund.id] : [])).map((line) => ({
        ...line,
        paidMinor: paid.get(line.orderLineId) ?? line.amountMinor,
        reason: creditReason(found?.refund.cause ?? 'cancelled', line.reason),
      }));
      return cancelledEmail(words, {
        greeting,
        orderNumber: order.number,
        applications,
        isByPayer: byPayer !== null,
        refund: found && { total: usd(found.payment.amountMinor), lines },
      });
    };
    return payerEmail(db, order, applications, write, { after: paymentOccasions(order.number) });
  },
};

/** For a traveller whose application somebody else paid for and cancelled. Subject: the application's id. */
export const cancelledTraveller: ApplicationKind = {
  find: async (platform, id) => {
    const application = await applicationById(platform.db, id);
    return application && travellerEmail(platform, application, cancelledTravellerEmail);
  },
};
