import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { formatNumber } from '~/base/format-number.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { applicationsNumbered } from '~/features/application/store.server.ts';
import type { ReceiptFacts } from '~/features/order/receipt/receipt-facts.ts';
import {
  MAIL_LINK_DAYS,
  receiptAddress,
  creditNoteByRefund,
  storedReceiptNumber,
} from '~/features/order/receipt/issue-receipt.server.ts';
import { orderById } from '~/features/order/store.server.ts';
import type { EmailContent, ContentRow } from '../layout/content.server.ts';
import type { EmailOccasion } from '../ledger/store.server.ts';
import {
  paymentOccasions,
  payerEmail,
  type ApplicationKind,
  refundArrivalText,
  type EmailWords,
} from './kind.server.ts';

type RefundedEmailFacts = {
  /** The facts on the credit note. */
  facts: ReceiptFacts;
  creditNumber: string;
  /** Opens the credit note for seven days. */
  download: string;
};

/** A refund: how much of which line and why, by which way, and when to expect it. */
function refundedEmail(
  words: EmailWords,
  { facts, creditNumber, download }: RefundedEmailFacts,
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
  const about: ContentRow[] = [
    { label: t('refunded.credit'), value: creditNumber },
    ...(facts.corrects ? [{ label: t('refunded.receipt'), value: facts.corrects.number }] : []),
    {
      label: t('refunded.on'),
      value: formatMoment(new Date(facts.at), language, UTC, 'dated'),
    },
    ...(facts.transaction ? [{ label: t('refunded.refund'), value: facts.transaction }] : []),
  ];
  return {
    language,
    subject: t('refunded.subject', { number: formatNumber(facts.orderNumber) }),
    preview: t('refunded.preview', { amount }),
    heading: t('refunded.heading'),
    greeting: t('greeting', { name: facts.payer }),
    paragraphs: [t('refunded.text', { amount, way }), refundArrivalText(words)],
    numbers: { label: t('number', { count: numbers.length }), values: numbers },
    button: { label: t('refunded.button'), href: download },
    note: t('refunded.note', { count: MAIL_LINK_DAYS }),
    sections: [
      {
        kind: 'receipt',
        title: t('refunded.lines'),
        rows,
        total: { label: t('refunded.total'), value: amount },
        facts: about,
      },
    ],
    closing: [t('refunded.rest', { url: words.page('/refund') }), words.reply, t('team')],
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
    const write = (words: EmailWords) =>
      refundedEmail(words, {
        facts: note.facts,
        creditNumber: storedReceiptNumber(note),
        download: receiptAddress(platform, note, order),
      });
    // What announces the refund.
    const after: EmailOccasion[] = [
      ...paymentOccasions(order.number),
      { kind: 'paid_closed', about: order.number },
      { kind: 'cancelled', about: refundId },
      ...applications.map(({ id }) => ({ kind: 'rejected', about: id }) as const),
    ];
    return payerEmail(order, applications, write, { after });
  },
};
