import { ADULT_YEARS } from '~/base/dates/dates.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { decidedBy } from '~/features/application/status/lookup.server.ts';
import { formatNumber } from '~/features/application/number.ts';
import type { Application } from '~/features/application/store.server.ts';
import { PAYER_LINK_DAYS } from '~/features/order/payer/payer-link-days.ts';
import type { Order, OrderLine } from '~/features/order/store.server.ts';
import type { EmailContent } from '~/features/email/layout/content.ts';
import type { Words } from './email-words.server.ts';

/**
 * An order that is not paid yet: its numbers, what is to pay, what happens then, and `link`, the payer's own way to the
 * payment on any device. `isReminder`: a day later, for the last time.
 */
export function unpaidEmail(
  words: Words,
  {
    order,
    lines,
    applications,
    link,
    isReminder,
  }: {
    order: Order;
    lines: readonly OrderLine[];
    applications: readonly Application[];
    link: string;
    isReminder: boolean;
  },
): EmailContent {
  const { t, language } = words;
  const amount = formatMoney(usd(order.amountMinor), language);
  const numbers = applications.map(({ number }) => formatNumber(number));
  const number = formatNumber(order.number);
  return {
    language,
    subject: t(isReminder ? 'unpaid.reminder' : 'unpaid.subject', { number }),
    preview: t('unpaid.preview', { amount }),
    heading: t(isReminder ? 'unpaid.headingReminder' : 'unpaid.heading'),
    greeting: t('greeting', { name: order.customerName }),
    paragraphs: [
      t(isReminder ? 'unpaid.still' : 'unpaid.text'),
      ...whatFollows(words, applications),
      t('unpaid.change'),
      t(isReminder ? 'unpaid.last' : 'unpaid.paidNow'),
    ],
    numbers: { label: t('number', { count: numbers.length }), values: numbers },
    button: { label: t('unpaid.button'), href: link },
    note: t('unpaid.note', { count: PAYER_LINK_DAYS }),
    sections: [
      {
        kind: 'receipt',
        title: t('unpaid.due'),
        rows: lines.map(words.row),
        total: { label: t('unpaid.total'), value: amount },
        facts:
          applications.length === 1 ? [] : [{ label: t('received.order'), value: order.number }],
      },
    ],
    closing: [t('unpaid.stranger'), words.reply, t('team')],
    footer: words.footer,
  };
}

/** What payment sets off, by what was applied for. */
function whatFollows({ t }: Words, applications: readonly Application[]): string[] {
  const deciders = new Set(applications.map(decidedBy));
  const insured = deciders.has('reviewer')
    ? [t('unpaid.nextReviewed', { age: ADULT_YEARS })]
    : deciders.size > (deciders.has('authorities') ? 1 : 0)
      ? [t('unpaid.nextInsurance')]
      : [];
  return [...(deciders.has('authorities') ? [t('unpaid.next')] : []), ...insured];
}
