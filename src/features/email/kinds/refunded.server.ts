import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { formatNumber } from '~/base/format-number.ts';
import type { ReceiptFacts } from '~/features/order/receipt/receipt-facts.ts';
import { MAIL_LINK_DAYS } from '~/features/order/receipt/receipt-link.server.ts';
import { BANK_DAYS, TRANSFER_DAYS } from '~/features/order/refund-policy.ts';
import type { EmailContent, Row } from '../layout/content.ts';
import type { Words } from './words.server.ts';

export type Refunded = {
  /** The facts on the credit note. */
  facts: ReceiptFacts;
  creditNumber: string;
  /** Opens the credit note for seven days. */
  download: string;
};

/** When refunded money arrives: how long we take and how long banks take. */
export const whenItArrives = ({ t }: Words): string =>
  t('refunded.expect', {
    min: TRANSFER_DAYS.min,
    max: TRANSFER_DAYS.max,
    bankMin: BANK_DAYS.min,
    bankMax: BANK_DAYS.max,
  });

/** A refund: how much of which line and why, by which way, and when to expect it. */
export function refundedEmail(
  words: Words,
  { facts, creditNumber, download }: Refunded,
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
  const about: Row[] = [
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
    paragraphs: [t('refunded.text', { amount, way }), whenItArrives(words)],
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
