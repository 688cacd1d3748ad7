import { ADULT_YEARS } from '~/base/dates/dates.ts';
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
import { fullName } from '~/features/application/full-name.ts';
import { reachesPayer } from '~/features/application/recipient.ts';
import {
  applicationsByOrder,
  currentDocument,
  type Application,
} from '~/features/application/store.server.ts';
import { downloadAddress } from '~/features/status/download.server.ts';
import { hasSeveralTravellers, sharedPromise } from '~/features/application/travellers.ts';
import {
  linesByOrder,
  type OrderLine,
  orderByNumber,
  type Order,
} from '~/features/order/store.server.ts';
import {
  MAIL_LINK_DAYS,
  receiptAddress,
  receiptsByOrder,
} from '~/features/order/receipt/issue-receipt.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { officeInForce } from '~/features/settings/office.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { EmailContent, EmailSection } from '../layout/content.server.ts';
import { isEmailStored } from '../ledger/store.server.ts';
import {
  applicationsInOrder,
  payerEmail,
  type ApplicationKind,
  orderNumbers,
  orderRows,
  statusPage,
  travellersList,
  type EmailWords,
} from './kind.server.ts';

type ReceivedPurchase = {
  order: Order;
  lines: readonly OrderLine[];
  applications: readonly Application[];
  /** Closed days that the promises skip. */
  skipped: readonly ClosedDays[];
  /** Opens the receipt for seven days. */
  receipt: string;
  /** The insurances whose certificates its payer gets, with the address that opens each for seven days. */
  certificates: readonly { application: Application; href: string }[];
};

const titles = {
  one: { subject: 'received.subject', heading: 'received.heading' },
  several: { subject: 'several.subject', heading: 'several.heading' },
  certificate: { subject: 'document.subjectInsurance', heading: 'document.headingInsurance' },
} as const;

function chooseTitles({ isOfSeveral, isAll }: { isOfSeveral: boolean; isAll: boolean }) {
  if (isOfSeveral) return titles.several;
  return isAll ? titles.certificate : titles.one;
}

/** Received and paid: what was bought, what happens next and by when, and the certificates that are ready. */
function receivedEmail(
  words: EmailWords,
  { order, lines, applications, skipped, receipt, certificates }: ReceivedPurchase,
  greeting: string,
): EmailContent {
  const { t, language } = words;
  const amount = formatMoney(usd(order.amountMinor), language);
  const isOfSeveral = hasSeveralTravellers(applications);
  const opened = isOfSeveral ? order : (applications[0] ?? order);
  const isDecided = certificates.length === applications.length;
  // An insurance alone: its certificate is all that was bought.
  const isAll = isDecided && !isOfSeveral;
  const { subject, heading } = chooseTitles({ isOfSeveral, isAll });
  const status = { label: t('received.button'), href: statusPage(words, opened) };
  const [only, ...others] = certificates;
  // With one certificate it is what the payer opens next.
  const first = only && others.length === 0 && !isOfSeveral ? only : null;
  const decisionNote = isOfSeveral || isDecided ? null : t('received.note');
  return {
    language,
    subject: t(subject, { number: formatNumber(order.number) }),
    preview: isAll ? t('document.preview') : t('received.preview', { amount }),
    heading: t(heading),
    greeting,
    paragraphs: isAll
      ? [t('approved.checkInsurance'), t('approved.printInsurance')]
      : (isOfSeveral ? ofSeveral : ofOne)(words, applications, certificates.length),
    numbers: orderNumbers(words, order, applications),
    button: first ? { label: t('approved.buttonInsurance'), href: first.href } : status,
    note: first ? t('approved.note', { count: MAIL_LINK_DAYS }) : decisionNote,
    sections: [
      ...travellersList(words, applications),
      ...skippedList(words, skipped),
      {
        kind: 'receipt',
        title: t('received.receipt'),
        rows: orderRows(words, lines, applications),
        total: { label: t('received.total'), value: amount },
        facts: [],
        links: [
          { label: t('received.download'), href: receipt },
          ...(first && !isDecided ? [status] : []),
          ...(first
            ? []
            : certificates.map(({ application, href }) => ({
                label: t('received.certificateOf', { name: fullName(application) }),
                href,
              }))),
        ],
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
function ofSeveral(
  { t, moment }: EmailWords,
  applications: readonly Application[],
  certificates: number,
): string[] {
  const shared = sharedPromise(applications);
  const insured = applications.filter(({ kind }) => kind === 'insurance').length;
  return [
    // Travellers who need no visa may be insured alone.
    ...(insured < applications.length ? [t('several.text')] : []),
    ...(certificates > 0 ? [t('several.certificates')] : []),
    ...(insured > certificates ? [t('several.textAlong')] : []),
    ...(shared ? [t('several.ready', { promise: moment(shared) })] : []),
    t('several.who', { age: ADULT_YEARS }),
  ];
}

/** To one traveller: what happens, the promised moments, and whether the certificate is there. */
function ofOne(
  words: EmailWords,
  applications: readonly Application[],
  certificates: number,
): string[] {
  const { t } = words;
  const deciders = new Set(applications.map(decider));
  const isVisa = deciders.has('authorities');
  const isAwaited = certificates === 0 && deciders.size > (isVisa ? 1 : 0);
  return [
    ...(isVisa ? [t('received.text')] : []),
    ...(isAwaited && !isVisa
      ? [
          deciders.has('reviewer')
            ? t('received.textReviewed', { age: ADULT_YEARS })
            : t('received.textInsurance'),
        ]
      : []),
    ...promises(words, applications),
    ...(isAwaited && isVisa ? [t('received.textAlong')] : []),
    ...(certificates > 0 ? [t('received.certificate')] : []),
  ];
}

function promises({ t, moment }: EmailWords, applications: readonly Application[]): string[] {
  const promised = applications.filter(({ promisedAt }) => promisedAt !== null);
  const several = promised.length > 1 ? 'Several' : '';
  return promised.flatMap(({ promisedAt, kind, number }) => {
    if (!promisedAt) return [];
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
    const { paidAt } = order;
    const lines = await linesByOrder(db, order.id);
    const applications = applicationsInOrder(lines, await applicationsByOrder(db, order.number));
    const own = applications.filter(
      (one) => decider(one) === 'service' && reachesPayer(one, order),
    );
    const waitsUntil = own.some(({ decidedAt }) => decidedAt === null)
      ? new Date(paidAt.getTime() + MAX_WAIT_MS)
      : null;
    const write = async (words: EmailWords, greeting: string) => {
      const issued = await receiptsByOrder(db, order.id);
      const paper = issued.find(({ kind }) => kind === 'receipt');
      if (!paper) throw new Error('A paid order has no receipt');
      const certificates = (await withCertificate(db, own)).map((application) => {
        return { application, href: downloadAddress(platform, application) };
      });
      const skipped = skippedIn(applications, paidAt, await currentSettings(db));
      const address = receiptAddress(platform, paper, order);
      const bought = { order, lines, applications, skipped, receipt: address, certificates };
      return receivedEmail(words, bought, greeting);
    };
    return payerEmail(db, order, applications, write, { waitsUntil });
  },
};

/**
 * Those whose certificates are there, and that have no email of their own: it is stored where this one was claimed
 * before the certificate was there, see `addToEmail`.
 */
async function withCertificate(
  db: Queryable,
  insurances: readonly Application[],
): Promise<Application[]> {
  const found: Application[] = [];
  for (const one of insurances) {
    const isReady = (await currentDocument(db, one.id)) !== null;
    if (isReady && !(await isEmailStored(db, { kind: 'approved', about: one.id }))) found.push(one);
  }
  return found;
}

/** Milliseconds after the payment for which its email waits for an adult's certificate: most take seconds. */
const MAX_WAIT_MS = 5 * 60_000;

/** The closed days that the latest promise of an order skips. */
const skippedIn = (applications: readonly Application[], paidAt: Date, settings: Settings) =>
  skippedClosedDays(
    applications.map((application) => ({
      promisedAt: runningPromise(application),
      decidedAt: application.decidedAt,
      skipped: skippedDays(application, paidAt, officeInForce(settings, paidAt)),
    })),
  );
