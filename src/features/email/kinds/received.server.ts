import { ADULT_YEARS, formatMoment, UTC } from '~/base/dates/dates.ts';
import type { ClosedDays } from '~/base/dates/working-hours.ts';
import { formatNumber } from '~/base/format-number.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { runningPromise } from '~/features/application/promised.ts';
import {
  skippedClosedDays,
  skippedDays,
  writeClosedDays,
} from '~/features/application/skipped-days.ts';
import { decider } from '~/features/status/lookup.server.ts';
import { applicationsByOrder, type Application } from '~/features/application/store.server.ts';
import { hasSeveralTravellers, sharedPromise } from '~/features/application/travellers.ts';
import {
  linesByOrder,
  type OrderLine,
  orderByNumber,
  type Order,
} from '~/features/order/store.server.ts';
import { receiptAddress, receiptsByOrder } from '~/features/order/receipt/issue-receipt.server.ts';
import { attemptById, type Attempt } from '~/features/payment/settlement/store.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { officeInForce } from '~/features/settings/office.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import type { EmailContent, ContentRow, EmailSection } from '../layout/content.server.ts';
import {
  applicationsInOrder,
  payerEmail,
  type ApplicationKind,
  orderNumbers,
  orderRows,
  travellersList,
  type EmailWords,
} from './kind.server.ts';

type ReceivedPurchase = {
  order: Order & { paidAt: Date };
  lines: readonly OrderLine[];
  applications: readonly Application[];
  attempt: Attempt | null;
  /** Closed days that the promises skip. */
  skipped: readonly ClosedDays[];
  /** Opens the receipt for seven days. */
  receipt: string;
};

/** Received and paid: what was bought, what happens next and by when. */
function receivedEmail(words: EmailWords, purchase: ReceivedPurchase): EmailContent {
  const { t, language } = words;
  const { order, lines, applications, attempt, skipped, receipt } = purchase;
  const amount = formatMoney(usd(order.amountMinor), language);
  const isOfSeveral = hasSeveralTravellers(applications);
  const opened = isOfSeveral ? order.number : (applications[0]?.number ?? order.number);
  const facts: ContentRow[] = [
    { label: t('received.paidOn'), value: formatMoment(order.paidAt, language, UTC, 'dated') },
  ];
  const transaction = attempt?.providerReference ?? attempt?.captureId;
  if (transaction) facts.push({ label: t('received.transaction'), value: transaction });
  if (applications.length !== 1 && !isOfSeveral)
    facts.push({ label: t('received.order'), value: order.number });
  return {
    language,
    subject: t(isOfSeveral ? 'several.subject' : 'received.subject', {
      number: formatNumber(order.number),
    }),
    preview: t('received.preview', { amount }),
    heading: t(isOfSeveral ? 'several.heading' : 'received.heading'),
    greeting: t('greeting', { name: order.customerName }),
    paragraphs: isOfSeveral
      ? ofSeveral(words, applications)
      : [...whatHappens(words, applications), ...promises(words, applications)],
    numbers: orderNumbers(words, order, applications),
    button: {
      label: t('received.button'),
      href: words.page(`/status?ref=${encodeURIComponent(opened)}`),
    },
    note: t(isOfSeveral ? 'several.note' : 'received.note'),
    sections: [
      ...travellersList(words, applications),
      ...skippedList(words, skipped),
      {
        kind: 'receipt',
        title: t('received.receipt'),
        rows: orderRows(words, lines, applications),
        total: { label: t('received.total'), value: amount },
        facts,
        link: { label: t('received.download'), href: receipt },
      },
    ],
    closing: [words.reply, t('team')],
    footer: words.footer,
  };
}

/** The closed days that the promises skip, as the status page names them. */
function skippedList({ t, language }: EmailWords, days: readonly ClosedDays[]): EmailSection[] {
  if (days.length === 0) return [];
  const closed = makeTranslate(language, 'application');
  const items = days.map((one) => writeClosedDays(one, closed, language));
  return [{ kind: 'list', title: t('received.closedDays'), items }];
}

/** To the payer of several travellers: what happens, whom we write to, and the promised moment where all share one. */
function ofSeveral({ t, moment }: EmailWords, applications: readonly Application[]): string[] {
  const shared = sharedPromise(applications);
  return [
    t('several.text'),
    ...(applications.some(({ kind }) => kind === 'insurance') ? [t('several.textAlong')] : []),
    ...(shared ? [t('several.ready', { promise: moment(shared) })] : []),
    t('several.who', { age: ADULT_YEARS }),
  ];
}

function whatHappens({ t }: EmailWords, applications: readonly Application[]): string[] {
  const deciders = applications.map(decider);
  const isInsured = deciders.some((by) => by !== 'authorities');
  if (deciders.includes('authorities') || !isInsured) {
    return [t('received.text'), ...(isInsured ? [t('received.textAlong')] : [])];
  }
  return [
    deciders.includes('reviewer')
      ? t('received.textReviewed', { age: ADULT_YEARS })
      : t('received.textInsurance'),
  ];
}

function promises({ t, moment }: EmailWords, applications: readonly Application[]): string[] {
  return applications.flatMap(({ promisedAt, kind, number }) => {
    if (!promisedAt) return [];
    const several = applications.length > 1 ? 'Several' : '';
    const by = moment(promisedAt);
    return kind === 'visa'
      ? [t(`received.ready${several}`, { number: formatNumber(number), promise: by })]
      : [t(`received.ready${several}Insurance`, { number: formatNumber(number), moment: by })];
  });
}

/** Subject: the order's number. */
export const received: ApplicationKind = {
  find: async (platform, orderNumber) => {
    const { db } = platform;
    const order = await orderByNumber(db, orderNumber);
    // Orders of the payment lab hold no applications.
    if (!order?.paidAt || order.lab) return null;
    const { paidAt, paidBy } = order;
    const lines = await linesByOrder(db, order.id);
    const applications = applicationsInOrder(lines, await applicationsByOrder(db, order.number));
    return payerEmail(order, applications, async (words) => {
      const issued = await receiptsByOrder(db, order.id);
      const paper = issued.find(({ kind }) => kind === 'receipt');
      if (!paper) throw new Error('A paid order has no receipt');
      return receivedEmail(words, {
        order: { ...order, paidAt },
        lines,
        applications,
        attempt: paidBy ? await attemptById(db, paidBy) : null,
        skipped: skippedIn(applications, paidAt, await currentSettings(db)),
        receipt: receiptAddress(platform, paper, order),
      });
    });
  },
};

/** The closed days that the latest promise of an order skips. */
const skippedIn = (applications: readonly Application[], paidAt: Date, settings: Settings) =>
  skippedClosedDays(
    applications.map((application) => ({
      promisedAt: runningPromise(application),
      decidedAt: application.decidedAt,
      skipped: skippedDays(application, paidAt, officeInForce(settings, paidAt)),
    })),
  );
