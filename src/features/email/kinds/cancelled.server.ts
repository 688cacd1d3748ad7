import { formatMoney, type Money } from '~/base/money.ts';
import { formatNumber } from '~/base/format-number.ts';
import type { EmailContent } from '../layout/content.ts';
import type { ReceiptLine } from '~/features/order/receipt/receipt-facts.ts';
import { about, type Decided } from './approved.server.ts';
import type { Words } from './words.server.ts';
import { whenItArrives } from './refunded.server.ts';

export type CancelledByPayer = {
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
  words: Words,
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
        ? [t('cancelled.refund', { amount }), whenItArrives(words)]
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
export function cancelledTravellerEmail(
  words: Words,
  cancelled: Pick<Decided, 'application' | 'recipient'>,
): EmailContent {
  const { t } = words;
  const { statusPage, written, other, ...shared } = about(words, cancelled);
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
