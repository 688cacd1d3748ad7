import { ADULT_YEARS } from '~/base/dates/dates.ts';
import { formatNumber } from '~/base/format-number.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { decider } from '~/features/status/lookup.server.ts';
import { applicationsByOrder, type Application } from '~/features/application/store.server.ts';
import { hasSeveralTravellers } from '~/features/application/travellers.ts';
import { payRefusal } from '~/features/order/may-pay.ts';
import {
  linesByOrder,
  type OrderLine,
  orderByNumber,
  type Order,
} from '~/features/order/store.server.ts';
import { PAYER_LINK_DAYS } from '~/features/order/payer/payer-links.ts';
import { payerLink } from '~/features/order/payer/payer.server.ts';
import {
  otherRemindedOrders,
  remindUnpaid,
  queueUnpaidEmails,
} from '~/features/order/payer/remind-unpaid.server.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import {
  applicationsInOrder,
  payerEmail,
  type ApplicationKind,
  type FoundEmail,
  orderNumbers,
  orderRows,
  travellersList,
  type EmailWords,
} from './kind.server.ts';

const ofOne = {
  subject: 'unpaid.subject',
  reminder: 'unpaid.reminder',
  heading: 'unpaid.heading',
  headingReminder: 'unpaid.headingReminder',
  next: 'unpaid.next',
  nextInsurance: 'unpaid.nextInsurance',
  nextReviewed: 'unpaid.nextReviewed',
} as const;

const ofSeveral = {
  subject: 'several.unpaidSubject',
  reminder: 'several.unpaidReminder',
  heading: 'several.unpaidHeading',
  headingReminder: 'several.unpaidHeadingReminder',
  next: 'several.unpaidNext',
  nextInsurance: 'several.unpaidInsurance',
  nextReviewed: 'several.unpaidReviewed',
} as const;

/**
 * An unpaid order: its numbers, what is due, what happens after payment, and `link`, by which the payer pays on any
 * device. `isReminder`: the one reminder a day later.
 */
function unpaidEmail(
  words: EmailWords,
  {
    order,
    lines,
    applications,
    link,
    isReminder,
    further,
    greeting,
  }: {
    greeting: string;
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
  const texts = hasSeveralTravellers(applications) ? ofSeveral : ofOne;
  return {
    language,
    subject: t(isReminder ? texts.reminder : texts.subject, { number }),
    preview: t('unpaid.preview', { amount }),
    heading: t(isReminder ? texts.headingReminder : texts.heading),
    greeting,
    paragraphs: isReminder
      ? [t('unpaid.still'), t('unpaid.change'), t('unpaid.last')]
      : [t('unpaid.change'), ...whatFollows(words, applications, texts)],
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
        facts: [],
        links: [],
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
  { t }: EmailWords,
  applications: readonly Application[],
  texts: typeof ofOne | typeof ofSeveral,
): string[] {
  const deciders = new Set(applications.map(decider));
  const isReviewed = deciders.has('reviewer');
  return [
    ...(deciders.has('authorities') ? [t(texts.next)] : []),
    ...(isReviewed ? [t(texts.nextReviewed, { age: ADULT_YEARS })] : []),
    ...(deciders.has('service')
      ? [t(isReviewed ? 'several.unpaidOthers' : texts.nextInsurance)]
      : []),
  ];
}

/** Subject: the order's number. */
async function findUnpaid(
  platform: Platform,
  orderNumber: string,
  isReminder: boolean,
): Promise<FoundEmail | null> {
  const { db } = platform;
  const order = await orderByNumber(db, orderNumber);
  if (!order || order.lab) return null;
  // Paid or closed before the job ran, or being confirmed.
  if (payRefusal(order, await attemptsByReference(db, order.number)) !== null) return null;
  const lines = await linesByOrder(db, order.id);
  const applications = applicationsInOrder(lines, await applicationsByOrder(db, order.number));
  const write = async (words: EmailWords, greeting: string) =>
    unpaidEmail(words, {
      greeting,
      order,
      lines,
      applications,
      link: payerLink(platform, order),
      isReminder,
      further: isReminder ? await otherRemindedOrders(db, order) : [],
    });
  return payerEmail(db, order, applications, write, {
    // A reminder goes out once a day at most, whatever was placed.
    isUnpaid: !isReminder,
  });
}

export const unpaid: ApplicationKind = {
  recurring: { cron: '* * * * *', name: 'order.tell_unpaid', run: queueUnpaidEmails },
  find: (platform, number) => findUnpaid(platform, number, false),
};

export const unpaidReminder: ApplicationKind = {
  recurring: { cron: '33 * * * *', name: 'order.remind_unpaid', run: remindUnpaid },
  find: (platform, number) => findUnpaid(platform, number, true),
};
