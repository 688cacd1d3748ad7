import { formatNumber } from '~/base/format-number.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { fullName } from '~/features/application/full-name.ts';
import { applicationsLeaving, linesLeft } from '~/features/application/leave-order.ts';
import { reachesPayer } from '~/features/application/recipient.ts';
import { applicationRejection } from '~/features/application/rejection.ts';
import {
  applicationById,
  applicationsByOrder,
  type Application,
} from '~/features/application/store.server.ts';
import { travellerInsurance } from '~/features/application/travellers.ts';
import {
  readRejectionRefund,
  type RejectionRefund,
} from '~/features/status/rejection-refund.server.ts';
import {
  linesByOrder,
  type OrderLine,
  orderByNumber,
  type Order,
} from '~/features/order/store.server.ts';
import { PAYER_LINK_DAYS } from '~/features/order/payer/payer-links.ts';
import { payerLink } from '~/features/order/payer/payer.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { EmailContent, EmailSection } from '../layout/content.server.ts';
import {
  paymentOccasions,
  payerEmail,
  travellerEmail,
  type ApplicationKind,
  aboutApplication,
  orderRows,
  greeting,
  refundArrivalText,
  refundPage,
  statusPage,
  type EmailSubject,
  type EmailWords,
} from './kind.server.ts';

/** `unpaid`: the order was not paid, so nothing is refunded; `refund`: what is, where it was. */
type RejectionMoney = { unpaid: UnpaidRejection | null; refund: RejectionRefund | null };

/**
 * Rejected, with who decided, the reason in the traveller's language, the reviewer's words as written, and what is
 * refunded.
 */
function rejectedEmail(
  words: EmailWords,
  rejected: EmailSubject,
  { unpaid, refund }: RejectionMoney,
): EmailContent {
  const { t } = words;
  const { application } = rejected;
  const isVisa = application.kind === 'visa';
  const { statusPage, written, other, ...shared } = aboutApplication(words, rejected);
  const name = { name: other };
  return {
    ...shared,
    subject:
      other === null
        ? t('rejected.subject', { number: written })
        : t('member.subject', { what: t('member.about', name), number: written }),
    preview: t('rejected.preview'),
    heading: other === null ? t('rejected.heading') : t('member.rejected', name),
    paragraphs: [
      other === null
        ? t(isVisa ? 'rejected.text' : 'rejected.textInsurance')
        : t(isVisa ? 'rejected.textOf' : 'rejected.textOfInsurance', name),
      ...(isVisa && refund ? whoDecided(words, refund) : []),
      ...(refund?.isPayers ? refunded(words, refund) : []),
    ],
    button: { label: t('rejected.button'), href: statusPage },
    note: null,
    sections: [
      ...why(words, application),
      next(words, unpaid?.isPayers ? [t('rejected.notCharged')] : []),
    ],
    closing: [...(refund?.isPayers ? [refundPage(words)] : []), t('team')],
  };
}

const whoDecided = ({ t }: EmailWords, { by }: RejectionRefund): string[] =>
  by === 'traveller' ? [] : [t(by === 'team' ? 'rejected.byTeam' : 'rejected.byAuthorities')];

/** What is refunded and when it arrives, or why nothing is. */
function refunded(words: EmailWords, { by, total }: RejectionRefund): string[] {
  const { t, language } = words;
  const amount = formatMoney(total, language);
  if (total.minor > 0) return [t('refund.amount', { amount }), refundArrivalText(words)];
  return [
    t(by === 'authorities' ? 'rejected.nothingAuthorities' : 'rejected.nothingTeam', { amount }),
  ];
}

/**
 * The email to a traveller whose application was rejected; where they are the payer of an unpaid order, it also says
 * what is due.
 */
export const rejectionEmail = (
  words: EmailWords,
  rejected: EmailSubject,
  money: RejectionMoney,
  link: string,
): EmailContent =>
  money.unpaid?.isPayers && money.unpaid.isOfSeveral
    ? rejectedPayerEmail(words, rejected.application, money.unpaid, {
        greeting: greeting(words.t, rejected.recipient),
        link,
      })
    : rejectedEmail(words, rejected, money);

/**
 * Tells the payer of an unpaid order which application was rejected and why, and what is due now, with `link` to the
 * payment. Null where nothing is due: the order is closed, or the rest is paid by now.
 */
function rejectedPayerEmail(
  words: EmailWords,
  application: Application,
  { order, endsToo, due, together }: UnpaidRejection,
  { greeting, link }: { greeting: string; link: string },
): EmailContent {
  const { t, language, footer } = words;
  const name = fullName(application);
  const amount = due && formatMoney(usd(due.amountMinor), language);
  const gone = [application, ...(endsToo ? [endsToo] : [])];
  return {
    language,
    greeting,
    footer,
    subject: t('member.subject', {
      what: t('member.about', { name }),
      number: formatNumber(application.number),
    }),
    preview: amount ? t('rejected.previewDue', { amount }) : t('rejected.preview'),
    heading: t('member.rejected', { name }),
    paragraphs: [
      amount
        ? t('rejected.dueNow', { amount })
        : t(application.kind === 'visa' ? 'rejected.textOf' : 'rejected.textOfInsurance', { name }),
      ...(endsToo ? [t('rejected.insuranceToo', { name })] : []),
      ...(due ? [t('rejected.oldPayment')] : []),
      ...(order.closedAt ? [t('rejected.nobodyLeft')] : []),
    ],
    numbers: {
      label: t('number', { count: gone.length }),
      values: gone.map(({ number }) => formatNumber(number)),
    },
    button: due
      ? { label: t('unpaid.button'), href: link }
      : { label: t('rejected.button'), href: statusPage(words, application) },
    note: due ? t('unpaid.note', { count: PAYER_LINK_DAYS }) : null,
    sections: [
      ...why(words, application),
      ...(due && amount
        ? [
            {
              kind: 'receipt',
              title: t('unpaid.due'),
              rows: orderRows(words, due.lines, together),
              total: { label: t('unpaid.total'), value: amount },
              facts: [],
              links: [],
            } as const,
          ]
        : []),
      // What is due is what the payer can do.
      ...(due ? [] : [next(words, [t('rejected.notCharged')])]),
    ],
    closing: [...(due ? [words.reply] : []), t('team')],
  };
}

const next = ({ t, contact }: EmailWords, money: readonly string[]): EmailSection => ({
  kind: 'list',
  title: t('rejected.next'),
  items: [t('rejected.contact', { contact }), t('rejected.again'), ...money],
});

function why({ t, rejection }: EmailWords, application: Application): EmailSection[] {
  const given = applicationRejection(application);
  if (!given) return [];
  const { words } = given;
  const own = { kind: 'quote', text: words ?? '' } as const;
  const reason = rejection(application);
  if (reason === null) return words === null ? [] : [{ ...own, title: t('rejected.reason') }];
  const listed = { kind: 'list', title: t('rejected.reason'), items: [reason] } as const;
  return words === null ? [listed] : [listed, { ...own, title: t('correction.words') }];
}

/** What rejecting an application changes, or changed, in its unpaid order. */
type UnpaidRejection = {
  order: Order;
  /** Whether the email about the traveller goes to the payer; it then says what is due, too. */
  isPayers: boolean;
  /** Whether the order holds, or held, more than this application. */
  isOfSeveral: boolean;
  /** All that the order holds or held. */
  together: readonly Application[];
  /** The insurance of the same traveller that leaves with the visa. */
  endsToo: Application | null;
  /** What is due now, in minor units; null where no application is left or the rest is paid. */
  due: { lines: readonly OrderLine[]; amountMinor: number } | null;
};

/** Null where the application was paid. It may be rejected already, or be about to. */
export async function unpaidRejection(
  db: Queryable,
  application: Application,
): Promise<UnpaidRejection | null> {
  const order = await orderByNumber(db, application.orderNumber);
  if (!order || application.paidAt) return null;
  const lines = await linesByOrder(db, order.id);
  // Paid after the order was closed: refunded like any paid application.
  const isPaidFor = lines.some(({ applicationNumber }) => applicationNumber === application.number);
  if (order.paidAt && isPaidFor) return null;
  const together = await applicationsByOrder(db, order.number);
  const beside = application.kind === 'visa' ? travellerInsurance(together, application) : null;
  const leaving = applicationsLeaving(together, application);
  const endsToo =
    leaving.find(({ id }) => id !== application.id) ??
    (beside?.rejectionCode === 'visa_rejected' ? beside : null);
  const left = linesLeft(lines, endsToo ? [application, endsToo] : [application]);
  const isDue = order.paidAt === null && order.closedAt === null && left.lines.length > 0;
  return {
    order,
    isPayers: reachesPayer(application, order),
    isOfSeveral: together.length > 1,
    together,
    endsToo,
    due: isDue ? left : null,
  };
}

/** Subject: the application's id. */
export const rejected: ApplicationKind = {
  find: async (platform, id) => {
    const { db } = platform;
    const application = await applicationById(db, id);
    if (application?.status !== 'rejected') return null;
    const unpaid = await unpaidRejection(db, application);
    return travellerEmail(
      platform,
      application,
      async (words, about) => {
        const money = { unpaid, refund: await readRejectionRefund(db, application) };
        return rejectionEmail(words, about, money, unpaid ? payerLink(platform, unpaid.order) : '');
      },
      { applicationIds: idsGone(id, unpaid), after: paymentOccasions(application.orderNumber) },
    );
  },
};

/** For the payer of an unpaid order who is not the traveller. Subject: the application's id. */
export const rejectedPayer: ApplicationKind = {
  find: async (platform, id) => {
    const application = await applicationById(platform.db, id);
    if (application?.status !== 'rejected') return null;
    const unpaid = await unpaidRejection(platform.db, application);
    if (!unpaid || unpaid.order.lab) return null;
    const write = (words: EmailWords, greeting: string) =>
      rejectedPayerEmail(words, application, unpaid, {
        greeting,
        link: payerLink(platform, unpaid.order),
      });
    return payerEmail(platform.db, unpaid.order, [], write, {
      applicationIds: idsGone(id, unpaid),
    });
  },
};

const idsGone = (id: string, unpaid: UnpaidRejection | null): string[] =>
  unpaid?.endsToo ? [id, unpaid.endsToo.id] : [id];
