import {
  emailRecipient,
  isChildAtPayment,
  type Recipient,
} from '~/features/application/recipient.ts';
import { applicationsByOrder, type Application } from '~/features/application/store.server.ts';
import { type OrderLine, orderByNumber, type Order } from '~/features/order/store.server.ts';
import type { Recurring } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import {
  type EmailContent,
  type Footer,
  type ContentRow,
  type EmailSection,
  replacePrivacyText,
} from '../layout/content.server.ts';
import type { EmailOccasion } from '../ledger/store.server.ts';
import type { ServiceCode } from '~/features/order/service-code.ts';
import { joinMoment, writeMoment } from '~/base/dates/write-moment.ts';
import { isEmailAddress } from '~/base/email-address.ts';
import { formatNumber } from '~/base/format-number.ts';
import { languageFacts, isLanguage, type Language } from '~/base/languages.ts';
import { formatMoney, usd } from '~/base/money.ts';
import type { Translate } from '~/base/read-text.ts';
import { retention } from '~/base/retention-periods.ts';
import { fullName } from '~/features/application/full-name.ts';
import { makeReplyAddress } from '~/features/application/reply-address.server.ts';
import { rejectionText, type RejectionFacts } from '~/features/application/templates.server.ts';
import {
  hasSeveralTravellers,
  byTraveller,
  sharedPromise,
} from '~/features/application/travellers.ts';
import {
  lineLabel,
  reasonWords,
  type ReceiptLine,
} from '~/features/order/receipt/receipt-facts.ts';
import { BANK_DAYS, TRANSFER_DAYS } from '~/features/order/refund-policy.ts';
import type { OperatedPlatform } from '~/features/settings/operator.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { createHash } from 'node:crypto';
import { listFormat } from '~/base/intl.ts';
import { RESUME_JOB, readResumeMail } from '~/features/form/draft/resume.server.ts';
import { INVITATION_JOB, readInvitationMail } from '~/features/staff/accounts/invitation.server.ts';
import { RESET_JOB, readResetMail } from '~/features/staff/accounts/reset.server.ts';

/** What every email needs: its language, the texts, the operator's address and how to link to pages. */
export type EmailWords = {
  language: Language;
  t: Translate<'email'>;
  /** The reason of a rejection in a sentence; null for one that has only the reviewer's words. */
  rejection(of: RejectionFacts): string | null;
  footer: Footer;
  /** Closing sentence on how to reach us. */
  reply: string;
  /** The operator's e-mail address, or its placeholder. */
  contact: string;
  /** A line of an order or of a receipt: what it is for, and its amount. */
  row(line: { code: string; detail: ServiceCode | null; amountMinor: number }): ContentRow;
  /** The kind of an application: "E-visa". */
  kind(of: 'visa' | 'insurance'): string;
  /** Why a line is refunded. */
  reason(line: ReceiptLine): string;
  /** The name of the payment provider. */
  partner(provider: string): string;
  /** A page of ours in the e-mail's language. */
  page(path: string): string;
  /** "Thursday 26 November 2026, 13:20 UTC (16:20 in Türkiye)". */
  moment(at: Date): string;
};

/** As texts write it, without a scheme. */
const OFFICIAL_SITE = 'evisa.gov.tr';

export function emailWords(operated: OperatedPlatform, tag: string): EmailWords {
  const { config } = operated;
  const language: Language = isLanguage(tag) ? tag : 'en';
  const t = makeTranslate(language, 'email');
  const receipt = makeTranslate(language, 'receipt');
  const kinds = makeTranslate(language, 'application');
  const ui = makeTranslate(language, 'ui');
  const page = (path: string) => `${config.publicUrl}/${language}${path}`;
  const { legalName, address, taxNumber, supportEmail } = config.operator;
  return {
    language,
    t,
    rejection: (of) => rejectionText(operated.settings, of, language),
    page,
    row: (line) => ({
      label: lineLabel(receipt, line),
      value: formatMoney(usd(line.amountMinor), language),
    }),
    kind: (of) => kinds(`kind.${of}`),
    reason: (line) => reasonWords(receipt, line, language),
    partner: (provider) => receipt(`partner.${provider}`, { defaultValue: provider }),
    contact: supportEmail,
    reply: config.mailbox ? t('reply') : t('contact', { contact: supportEmail }),
    moment: (at) => joinMoment(writeMoment(at, { t: ui, language, zone: null, style: 'long' })),
    footer: {
      privateService: t('footer.privateService', { site: OFFICIAL_SITE }),
      official: { label: OFFICIAL_SITE, href: languageFacts(language).officialSite },
      operator: t('footer.operator', { legalName, address, taxNumber }),
      privacy: {
        text: t('footer.privacy', { count: retention.communication.years }),
        label: t('footer.privacyLink'),
        href: page('/privacy'),
      },
    },
  };
}

/**
 * The address for replies: of the mailbox, where there is one, for the application that an email is about first; otherwise
 * the operator's, null while that is a placeholder.
 */
export function replyAddress(
  { config, sealer }: OperatedPlatform<Pick<Platform, 'config' | 'sealer'>>,
  applicationId: string | undefined,
): string | null {
  const { supportEmail } = config.operator;
  if (config.mailbox && applicationId !== undefined)
    return makeReplyAddress(sealer, config.mailbox.address, applicationId);
  return isEmailAddress(supportEmail) ? supportEmail : null;
}

export type EmailSubject = { application: Application; recipient: Recipient };

/** What the emails about one application share; `other`: the traveller's name, where the email goes to the payer. */
export function aboutApplication(words: EmailWords, { application, recipient }: EmailSubject) {
  const { t, footer, reply, language } = words;
  const { number } = application;
  const other = recipient.onBehalfOf;
  return {
    other,
    language,
    greeting: greeting(t, recipient),
    numbers: { label: t('number', { count: 1 }), values: [formatNumber(number)] },
    statusPage: statusPage(words, application),
    written: formatNumber(number),
    closing: [reply, t('team')],
    footer,
  };
}

/** The status page of an application or an order. */
export const statusPage = ({ page }: EmailWords, { number }: { number: string }): string =>
  page(`/status?ref=${encodeURIComponent(number)}`);

/** Addresses the parent of a child. */
export const greeting = (
  t: EmailWords['t'],
  { name, isChild }: Pick<Recipient, 'name' | 'isChild'>,
): string => t(isChild ? 'greetingParent' : 'greeting', { name });

/** Where the page on cancelling and refunds is, by its name. */
export const refundPage = ({ t, page }: EmailWords): string =>
  t('refund.page', { url: page('/cancellation-policy') });

/** When refunded money arrives: how long we take and how long banks take. */
export const refundArrivalText = ({ t }: EmailWords): string =>
  t('refund.arrival', {
    min: TRANSFER_DAYS.min,
    max: TRANSFER_DAYS.max,
    bankMin: BANK_DAYS.min,
    bankMax: BANK_DAYS.max,
  });

const NO_BREAK = '\u00a0';

/** The numbers in the box: for several travellers the order's number alone, as the list below names the others. */
export function orderNumbers(
  { t }: EmailWords,
  order: Pick<Order, 'number'>,
  applications: readonly Application[],
): EmailContent['numbers'] {
  if (hasSeveralTravellers(applications)) {
    return { label: t('received.order'), values: [formatNumber(order.number)] };
  }
  const numbers = applications.map(({ number }) => formatNumber(number));
  return { label: t('number', { count: numbers.length }), values: numbers };
}

/** The travellers with their numbers, and their promised moments where these differ. Empty for one traveller. */
export function travellersList(
  words: EmailWords,
  applications: readonly Application[],
): EmailSection[] {
  if (!hasSeveralTravellers(applications)) return [];
  const { t, moment } = words;
  const kinds = makeTranslate(words.language, 'application');
  const isShared = sharedPromise(applications) !== null;
  const items = byTraveller(applications).flatMap(({ applications: own }) =>
    own.map((one) => {
      const { kind, number, promisedAt } = one;
      const named = {
        name: fullName(one),
        what: kinds(`kind.${kind}`),
        // No-break spaces keep a number on one line.
        number: formatNumber(number).replaceAll(' ', NO_BREAK),
      };
      const isSharedPromise = kind === 'visa' && isShared;
      if (!promisedAt || isSharedPromise) return t('several.item', named);
      return kind === 'visa'
        ? t('several.itemReady', { ...named, promise: moment(promisedAt) })
        : t('several.itemReadyInsurance', { ...named, moment: moment(promisedAt) });
    }),
  );
  return [{ kind: 'list', title: t('several.list'), items }];
}

/** What an order costs, line by line; for several travellers a sum for each, with the lines below the name. */
export function orderRows(
  words: EmailWords,
  lines: readonly OrderLine[],
  applications: readonly Application[],
): ContentRow[] {
  if (!hasSeveralTravellers(applications)) return lines.map(words.row);
  return byTraveller(applications).flatMap(({ applications: own }) => {
    const numbers = new Set(own.map(({ number }) => number));
    const theirs = lines.filter(({ applicationNumber }) => numbers.has(applicationNumber));
    const [first] = own;
    if (!first || theirs.length === 0) return [];
    const sum = theirs.reduce((all, { amountMinor }) => all + amountMinor, 0);
    const parts = theirs.map((line) => {
      const { label, value } = words.row(line);
      return words.t('several.line', { what: label, amount: value });
    });
    return [
      {
        label: fullName(first),
        value: formatMoney(usd(sum), words.language),
        note: parts.join(' · '),
      },
    ];
  });
}

/** Writes an email in the language of the words. */
type WriteEmail = (words: EmailWords) => EmailContent | Promise<EmailContent>;

/** What an email about applications is about, to whom it goes, and how it is written from the data stored by then. */
export type FoundEmail = {
  to: string;
  language: string;
  applicationIds: readonly string[];
  /** Nobody has paid for what it is about: see `consumeUnpaidLimit`. */
  isUnpaid?: boolean;
  /** Emails that it refers to or that its recipient expects first: while one of them is to be sent, it waits. */
  after?: readonly EmailOccasion[];
  /** Until then it waits for what it is to tell, too; whatever makes that queues it anew. */
  waitsUntil?: Date | null;
  write: WriteEmail;
};

/** What queues emails of a kind, by the clock. */
type Queues = Recurring & { run: (platform: Platform) => Promise<void> };

/** A kind that is sent from its row in the ledger. */
export type ApplicationKind = {
  /** Finds what is to be said of a subject; null where nothing is any more. */
  find: (platform: Platform, subject: string) => Promise<FoundEmail | null>;
  recurring?: Queues;
};

/** An email about no application; its content is not kept. `about`: see `NewEmail`. */
export type FoundByJob = Pick<FoundEmail, 'to' | 'language' | 'write'> & { about: string };

/** A kind that only its jobs can send, as they alone know the recipient. */
export type JobKind = {
  /** By the name of the job: what its payload asks for; null where nothing is to be sent. */
  jobs: Readonly<
    Record<
      string,
      (platform: Platform, payload: unknown) => Promise<FoundByJob | null> | FoundByJob | null
    >
  >;
  recurring?: Queues;
};

/**
 * To whom an email about an application goes.
 * @throws Error without the application's order, which the database rules out.
 */
export async function readRecipient(
  { db }: Pick<Platform, 'db'>,
  application: Application,
): Promise<Recipient> {
  const order = await orderByNumber(db, application.orderNumber);
  if (!order) throw new Error('An application without an order');
  const [first] = await applicationsByOrder(db, order.number);
  return emailRecipient(application, order, first);
}

/** An email about one application, to its recipient. */
export async function travellerEmail(
  platform: Platform,
  application: Application,
  write: (
    words: EmailWords,
    about: { application: Application; recipient: Recipient },
  ) => EmailContent | Promise<EmailContent>,
  more: Partial<FoundEmail> = {},
): Promise<FoundEmail> {
  const recipient = await readRecipient(platform, application);
  const { to, language } = recipient;
  const about = { application, recipient };
  const applicationIds = [application.id];
  return { to, language, applicationIds, ...more, write: (words) => write(words, about) };
}

/**
 * An email about an order, to its payer, whom its greeting addresses: by the name that the order was placed with, or the
 * parent of a child who placed it.
 */
export const payerEmail = (
  db: Queryable,
  order: Order,
  applications: readonly Application[],
  write: (words: EmailWords, greeting: string) => EmailContent | Promise<EmailContent>,
  more: Partial<FoundEmail> = {},
): FoundEmail => ({
  to: order.customerEmail,
  language: order.language,
  applicationIds: applications.map(({ id }) => id),
  ...more,
  write: async (words) => {
    const [first] = await applicationsByOrder(db, order.number);
    const isChild = first !== undefined && isChildAtPayment(first, order);
    return write(words, greeting(words.t, { name: order.customerName, isChild }));
  },
});

/** The email that says what was paid comes before those about what follows from it. */
export const paymentOccasions = (orderNumber: string): EmailOccasion[] => [
  { kind: 'received', about: orderNumber },
];

/** Applications rejected before the payment are no longer part of the order. */
export const applicationsInOrder = (
  lines: readonly OrderLine[],
  applications: readonly Application[],
) => applications.filter(({ number }) => lines.some((line) => line.applicationNumber === number));

/** What a link opens: a draft on another device, or the choice of a first or new staff password. */
type LinkKind = 'resume' | 'invitation' | 'password_reset';

/**
 * An email about no application, with a link. `count`: how long the link works, in minutes for a new password,
 * otherwise in days; `answered`: the names of what a draft answers, without the answers.
 */
export function secretLinkEmail(
  { t, language, footer, reply }: EmailWords,
  kind: LinkKind,
  { url, count, answered = [] }: { url: string; count: number; answered?: readonly string[] },
): EmailContent {
  const note = t(`${kind}.note`, { count });
  return {
    language,
    subject: t(`${kind}.subject`),
    // The note about a draft is too long for the preview in a list of emails.
    preview: kind === 'resume' ? t('resume.preview', { count }) : note,
    heading: t(`${kind}.heading`),
    greeting: t('greetingNobody'),
    paragraphs: [
      t(`${kind}.text`),
      ...(answered.length > 0
        ? [t('resume.answered', { answers: listFormat(language, {}).format(answered) })]
        : []),
    ],
    numbers: null,
    button: { label: t(`${kind}.button`), href: url },
    note,
    sections: [],
    closing: [t(`${kind}.stranger`), reply, t('team')],
    footer: replacePrivacyText(footer, t(`${kind}.privacy`)),
  };
}

/** The link is a secret, so its hash identifies the email. */
const aboutLink = (
  kind: LinkKind,
  mail: { email: string; url: string; language: string; answered?: readonly string[] },
  count: number,
): FoundByJob => ({
  about: createHash('sha256').update(mail.url).digest('hex'),
  to: mail.email,
  language: mail.language,
  write: (words) => secretLinkEmail(words, kind, { url: mail.url, count, answered: mail.answered }),
});

export const resume: JobKind = {
  jobs: {
    [RESUME_JOB]: (platform, payload) => {
      const mail = readResumeMail(platform, payload);
      return aboutLink('resume', mail, mail.days);
    },
  },
};

export const invitation: JobKind = {
  jobs: {
    [INVITATION_JOB]: (platform, payload) => {
      const mail = readInvitationMail(platform, payload);
      return aboutLink('invitation', mail, mail.days);
    },
  },
};

export const passwordReset: JobKind = {
  jobs: {
    /** Nothing to an address without an active account; the page that asked says the same for every address. */
    [RESET_JOB]: async (platform, payload) => {
      const mail = await readResetMail(platform, payload);
      return mail && aboutLink('password_reset', mail, mail.minutes);
    },
  },
};
