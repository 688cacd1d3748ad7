import { ADULT_YEARS } from '~/base/dates/dates.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { decidedBy } from '~/features/application/status/lookup.server.ts';
import { formatNumber } from '~/base/format-number.ts';
import type { Application } from '~/features/application/store.server.ts';
import { areSeveral } from '~/features/application/travellers.ts';
import { PAYER_LINK_DAYS } from '~/features/order/payer/payer-link-days.ts';
import type { OrderLine } from '~/features/order/order-lines-store.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import type { EmailContent } from '../layout/content.ts';
import type { Words } from './words.server.ts';
import { orderNumbers, orderRows, travellersList } from './travellers-of-order.server.ts';

const ofOne = {
  subject: 'unpaid.subject',
  reminder: 'unpaid.reminder',
  heading: 'unpaid.heading',
  headingReminder: 'unpaid.headingReminder',
  text: 'unpaid.text',
  change: 'unpaid.change',
  next: 'unpaid.next',
  nextInsurance: 'unpaid.nextInsurance',
  nextReviewed: 'unpaid.nextReviewed',
} as const;

const ofSeveral = {
  subject: 'several.unpaidSubject',
  reminder: 'several.unpaidReminder',
  heading: 'several.unpaidHeading',
  headingReminder: 'several.unpaidHeadingReminder',
  text: 'several.unpaidText',
  change: 'several.unpaidChange',
  next: 'several.unpaidNext',
  nextInsurance: 'several.unpaidInsurance',
  nextReviewed: 'several.unpaidReviewed',
} as const;

/**
 * An unpaid order: its numbers, what is due, what happens after payment, and `link`, by which the payer pays on any
 * device. `isReminder`: the one reminder a day later.
 */
export function unpaidEmail(
  words: Words,
  {
    order,
    lines,
    applications,
    link,
    isReminder,
    further,
  }: {
    order: Order;
    lines: readonly OrderLine[];
    applications: readonly Application[];
    link: string;
    isReminder: boolean;
    /** Other unpaid orders that the same reminder is about. */
    further: readonly Pick<Order, 'number' | 'amountMinor'>[];
  },
): EmailContent {
  const { t, language } = words;
  const amount = formatMoney(usd(order.amountMinor), language);
  const number = formatNumber(order.number);
  const texts = areSeveral(applications) ? ofSeveral : ofOne;
  return {
    language,
    subject: t(isReminder ? texts.reminder : texts.subject, { number }),
    preview: t('unpaid.preview', { amount }),
    heading: t(isReminder ? texts.headingReminder : texts.heading),
    greeting: t('greeting', { name: order.customerName }),
    paragraphs: [
      t(isReminder ? 'unpaid.still' : texts.text),
      ...whatFollows(words, applications, texts),
      t(texts.change),
      t(isReminder ? 'unpaid.last' : 'unpaid.paidNow'),
    ],
    numbers: orderNumbers(words, order, applications),
    button: { label: t('unpaid.button'), href: link },
    note: t('unpaid.note', { count: PAYER_LINK_DAYS }),
    sections: [
      ...travellersList(words, applications),
      {
        kind: 'receipt',
        title: t('unpaid.due'),
        rows: orderRows(words, lines, applications),
        total: { label: t('unpaid.total'), value: amount },
        facts:
          applications.length === 1 || texts === ofSeveral
            ? []
            : [{ label: t('received.order'), value: order.number }],
      },
      ...(further.length > 0
        ? [
            {
              kind: 'list' as const,
              title: t('unpaid.others'),
              items: further.map((one) => {
                const due = formatMoney(usd(one.amountMinor), language);
                return `${formatNumber(one.number)}: ${due}`;
              }),
            },
          ]
        : []),
    ],
    closing: [t('unpaid.stranger'), words.reply, t('team')],
    footer: words.footer,
  };
}

/** What happens after payment, by kind of application. */
function whatFollows(
  { t }: Words,
  applications: readonly Application[],
  texts: typeof ofOne | typeof ofSeveral,
): string[] {
  const deciders = new Set(applications.map(decidedBy));
  const isReviewed = deciders.has('reviewer');
  return [
    ...(deciders.has('authorities') ? [t(texts.next)] : []),
    ...(isReviewed ? [t(texts.nextReviewed, { age: ADULT_YEARS })] : []),
    ...(deciders.has('service')
      ? [t(isReviewed ? 'several.unpaidOthers' : texts.nextInsurance)]
      : []),
  ];
}
