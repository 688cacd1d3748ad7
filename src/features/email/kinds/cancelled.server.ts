import { formatNumber } from '~/base/format-number.ts';
import { formatMoney, usd, type Money } from '~/base/money.ts';
import { fullName } from '~/features/application/full-name.ts';
import { applicationById, applicationsByOrder } from '~/features/application/store.server.ts';
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
  type EmailSubject,
  type EmailWords,
} from './kind.server.ts';

type CancelledByPayer = {
  /** The payer's name. */
  name: string;
  orderNumber: string;
  applications: readonly { kind: 'visa' | 'insurance'; number: string; name: string }[];
  /** What is refunded, line by line; null where nothing is. */
  refund: {
    total: Money;
    lines: readonly ReceiptLine[];
  } | null;
};

/** Confirms to the payer what they cancelled on the status page, and what is refunded of it. */
export function cancelledEmail(
  words: EmailWords,
  { name, orderNumber, applications, refund }: CancelledByPayer,
): EmailContent {
  const { t, language } = words;
  const amount = refund && formatMoney(refund.total, language);
  const number = formatNumber(orderNumber);
  return {
    language,
    subject: t('cancelled.subject', { number }),
    preview: amount ? t('cancelled.preview', { amount }) : t('cancelled.previewNothing'),
    heading: t('cancelled.heading'),
    greeting: t('greeting', { name }),
    paragraphs: [
      t('cancelled.text'),
      ...(amount
        ? [t('cancelled.refund', { amount }), refundArrivalText(words)]
        : [t('cancelled.nothing')]),
    ],
    numbers: null,
    button: {
      label: t('cancelled.button'),
      href: words.page(`/status?ref=${encodeURIComponent(orderNumber)}`),
    },
    note: null,
    sections: [
      {
        kind: 'list',
        title: t('cancelled.list'),
        items: applications.map((one) =>
          t('cancelled.item', {
            what: words.kind(one.kind),
            name: one.name,
            number: formatNumber(one.number).replaceAll(' ', '\u00a0'),
          }),
        ),
      },
      ...(refund && amount
        ? [
            {
              kind: 'receipt',
              title: t('cancelled.lines'),
              rows: refund.lines.map((line) => ({ ...words.row(line), note: words.reason(line) })),
              total: { label: t('cancelled.total'), value: amount },
              facts: [],
            } as const,
          ]
        : []),
    ],
    closing: [
      t('cancelled.policy', { url: words.page('/cancellation-policy') }),
      t('cancelled.stranger'),
      words.reply,
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

/** Subject: the id of the cancellation. */
export const cancelled: ApplicationKind = {
  find: async ({ db }, cancellationId) => {
    const cancellation = await cancellationById(db, cancellationId);
    const order = cancellation && (await orderById(db, cancellation.orderId));
    if (!cancellation || !order) return null;
    const { applicationNumbers } = cancellation;
    const applications = (await applicationsByOrder(db, order.number)).filter(({ number }) =>
      applicationNumbers.includes(number),
    );
    const write = async (words: EmailWords) => {
      const found = await orderRefundById(db, cancellationId);
      const paid = new Map(
        (await linesByOrder(db, order.id)).map((line) => [line.id, line.amountMinor]),
      );
      const lines = (await linesByRefunds(db, found ? [found.refund.id] : [])).map((line) => ({
        ...line,
        paidMinor: paid.get(line.orderLineId) ?? line.amountMinor,
        reason: creditReason('cancelled', line.reason),
      }));
      return cancelledEmail(words, {
        name: order.customerName,
        orderNumber: order.number,
        applications: applications.map((one) => ({ ...one, name: fullName(one) })),
        refund: found && { total: usd(found.payment.amountMinor), lines },
      });
    };
    return payerEmail(order, applications, write, { after: paymentOccasions(order.number) });
  },
};

/** For a traveller whose application somebody else paid for and cancelled. Subject: the application's id. */
export const cancelledTraveller: ApplicationKind = {
  find: async (platform, id) => {
    const application = await applicationById(platform.db, id);
    return application && travellerEmail(platform, application, cancelledTravellerEmail);
  },
};
