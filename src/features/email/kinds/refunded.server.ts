import { formatNumber } from '~/base/format-number.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { reachesPayer } from '~/features/application/recipient.ts';
import { applicationsNumbered, type Application } from '~/features/application/store.server.ts';
import type { ReceiptFacts } from '~/features/order/receipt/receipt-facts.ts';
import {
  MAIL_LINK_DAYS,
  receiptAddress,
  creditNoteByRefund,
  storedReceiptNumber,
} from '~/features/order/receipt/issue-receipt.server.ts';
import { orderRefundById } from '~/features/order/refunds/order-refund-store.server.ts';
import { orderById, type Order } from '~/features/order/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import { isEmailStored, type EmailOccasion } from '../ledger/store.server.ts';
import {
  paymentOccasions,
  payerEmail,
  type ApplicationKind,
  refundArrivalText,
  refundPage,
  type EmailWords,
} from './kind.server.ts';

type RefundedEmailFacts = {
  greeting: string;
  /** The facts on the credit note. */
  facts: ReceiptFacts;
  creditNumber: string;
  /** Opens the credit note for seven days. */
  download: string;
};

/** A refund that nothing else tells of: how much of which line and why, by which way, and when to expect it. */
function refundedEmail(
  words: EmailWords,
  { greeting, facts, creditNumber, download }: RefundedEmailFacts,
): EmailContent {
  const { t, language } = words;
  const amount = formatMoney(usd(facts.totalMinor), language);
  const numbers = [...new Set(facts.lines.map((line) => line.applicationNumber))].map(formatNumber);
  const way = facts.cardLast4
    ? t('refunded.card', { last4: facts.cardLast4 })
    : words.partner(facts.provider);
  const rows = facts.lines.map((line) => {
    const { label, value } = words.row(line);
    const name = line.traveller?.name;
    return {
      label: name === undefined ? label : t('several.refunded', { name, what: label }),
      value,
      note: words.reason(line),
    };
  });
  return {
    language,
    subject: t('refunded.subject', { number: formatNumber(facts.orderNumber) }),
    preview: t('refunded.preview', { amount }),
    heading: t('refunded.heading'),
    greeting,
    paragraphs: [t('refunded.text', { amount, way }), refundArrivalText(words)],
    numbers: { label: t('number', { count: numbers.length }), values: numbers },
    button: { label: t('refunded.button'), href: download },
    note: t('approved.note', { count: MAIL_LINK_DAYS }),
    sections: [
      {
        kind: 'receipt',
        title: t('refunded.lines'),
        rows,
        total: { label: t('refunded.total'), value: amount },
        facts: [{ label: t('refunded.credit'), value: creditNumber }],
        links: [],
      },
    ],
    closing: [refundPage(words), words.reply, t('team')],
    footer: words.footer,
  };
}

/** Subject: the refund's id. */
export const refunded: ApplicationKind = {
  find: async (platform, refundId) => {
    const { db } = platform;
    const note = await creditNoteByRefund(db, refundId);
    const order = note && (await orderById(db, note.orderId));
    if (!note || !order) return null;
    const numbers = note.facts.lines.map((line) => line.applicationNumber);
    const applications = await applicationsNumbered(db, [...new Set(numbers)]);
    if (await isTold(db, { refundId, order, applications })) return null;
    const write = (words: EmailWords, greeting: string) =>
      refundedEmail(words, {
        greeting,
        facts: note.facts,
        creditNumber: storedReceiptNumber(note),
        download: receiptAddress(platform, note, order),
      });
    const after: EmailOccasion[] = [
      ...paymentOccasions(order.number),
      { kind: 'paid_closed', about: order.number },
    ];
    return payerEmail(db, order, applications, write, { after });
  },
};

/**
 * Whether the payer has it from the email about what it follows from: a cancellation, a missed promise, or a rejection at
 * that moment.
 */
async function isTold(
  db: Queryable,
  {
    refundId,
    order,
    applications,
  }: { refundId: string; order: Order; applications: readonly Application[] },
): Promise<boolean> {
  for (const kind of ['cancelled', 'late'] as const) {
    if (await isEmailStored(db, { kind, about: refundId })) return true;
  }
  const found = await orderRefundById(db, refundId);
  const [rejected] = applications;
  return (
    rejected !== undefined &&
    found?.payment.requestedBy === 'system' &&
    found.refund.requestedAt.getTime() === rejected.decidedAt?.getTime() &&
    reachesPayer(rejected, order) &&
    isEmailStored(db, { kind: 'rejected', about: rejected.id })
  );
}
