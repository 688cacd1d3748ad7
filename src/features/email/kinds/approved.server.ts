import { formatDate, parseDate } from '~/base/dates/dates.ts';
import { entryRule, lastEntryDay } from '~/features/application/entry-rule.ts';
import { formatNumber } from '~/base/format-number.ts';
import type { Recipient } from '~/features/application/recipient.ts';
import type { Application } from '~/features/application/store.server.ts';
import { EVISA_VALIDITY_DAYS } from '~/features/catalog/regime.ts';
import { MAIL_LINK_DAYS } from '~/features/order/receipt/receipt-link.server.ts';
import { maskNumber } from '~/features/application/document-number.ts';
import type { VisaDetails } from '~/features/visa/store/store.server.ts';
import type { EmailContent, Section } from '../layout/content.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Words } from './words.server.ts';

export type Decided = {
  application: Application;
  recipient: Recipient;
  /** A visa's own answers; null for an insurance. */
  visa: VisaDetails | null;
  /** Opens the download without a date of birth for seven days; null while there is no document. */
  download: string | null;
};

/** What the emails about one application share; `other`: the traveller's name, where the email goes to the payer. */
export function about(
  { t, page, footer, reply, language }: Words,
  { application, recipient }: Pick<Decided, 'application' | 'recipient'>,
) {
  const { number } = application;
  const query = `?ref=${encodeURIComponent(number)}`;
  const other = recipient.onBehalfOf;
  return {
    other,
    language,
    greeting: t('greeting', { name: recipient.name }),
    numbers: { label: t('number', { count: 1 }), values: [formatNumber(number)] },
    statusPage: page(`/status${query}`),
    written: formatNumber(number),
    closing: [...whyYou({ t }, recipient), reply, t('team')],
    footer,
  };
}

/** Texts to the traveller, or to a payer who gets an email about another traveller. */
const textsFor = ({ onBehalfOf }: Recipient) => (onBehalfOf === null ? 'approved' : 'member');

/** Why a payer gets an email about another traveller. */
export const whyYou = ({ t }: Pick<Words, 't'>, { onBehalfOf }: Recipient): string[] =>
  onBehalfOf === null ? [] : [t('member.why', { name: onBehalfOf })];

/** Approved, with the download, or with a note that it will follow. */
export function approvedEmail(words: Words, decided: Decided): EmailContent {
  const { t } = words;
  const { application, download } = decided;
  const isVisa = application.kind === 'visa';
  const { statusPage, written, other, ...shared } = about(words, decided);
  const what = t(isVisa ? 'member.approved' : 'member.approvedInsurance', { name: other });
  return {
    ...shared,
    subject:
      other === null
        ? t(isVisa ? 'approved.subject' : 'approved.subjectInsurance', { number: written })
        : t('member.subject', { what, number: written }),
    preview: download
      ? t(`${textsFor(decided.recipient)}.preview`, { name: other })
      : t('approved.previewFollows'),
    heading: other === null ? t(isVisa ? 'approved.heading' : 'approved.headingInsurance') : what,
    paragraphs: [
      allowance(words, decided),
      ...entry(words, decided),
      ...(download ? [] : [t('approved.follows')]),
    ],
    button: download
      ? { label: t(isVisa ? 'approved.button' : 'approved.buttonInsurance'), href: download }
      : { label: t('approved.buttonStatus'), href: statusPage },
    note: download ? t('approved.note', { count: MAIL_LINK_DAYS }) : null,
    sections: [beforeTravel(words, decided)],
  };
}

/** The document was attached after the approval, replacing one of `replacedOf` where there was one. */
export function documentEmail(
  words: Words,
  decided: Decided & { download: string; replacedOf: Date | null },
): EmailContent {
  const { t } = words;
  const isVisa = decided.application.kind === 'visa';
  const { statusPage: _, written, other, ...shared } = about(words, decided);
  const what = t(isVisa ? 'member.document' : 'member.documentInsurance', { name: other });
  return {
    ...shared,
    subject:
      other === null
        ? t(isVisa ? 'document.subject' : 'document.subjectInsurance', { number: written })
        : t('member.subject', { what, number: written }),
    preview: t('document.preview'),
    heading: other === null ? t(isVisa ? 'document.heading' : 'document.headingInsurance') : what,
    paragraphs: [
      other === null ? t('document.text') : t('member.documentText', { name: other }),
      ...(decided.replacedOf
        ? [t('document.replaces', { moment: words.moment(decided.replacedOf) })]
        : []),
    ],
    button: {
      label: t(isVisa ? 'approved.button' : 'approved.buttonInsurance'),
      href: decided.download,
    },
    note: t('approved.note', { count: MAIL_LINK_DAYS }),
    sections: [beforeTravel(words, decided)],
  };
}

function allowance({ t, language }: Words, { application, visa, recipient }: Decided): string {
  const day = parseDate(application.startsOn);
  const date = day ? formatDate(day, language) : application.startsOn;
  const name = recipient.onBehalfOf;
  const texts = textsFor(recipient);
  if (!visa) return t(`${texts}.insurance`, { date, name });
  return t(`${texts}.${visa.entries}`, {
    count: visa.stayDays,
    validity: EVISA_VALIDITY_DAYS,
    date,
    name,
  });
}

/** By when to enter, where that is limited: on an e-visa with a supporting document. */
function entry({ language }: Words, { application, visa }: Decided): string[] {
  if (!visa?.supportingDocumentType) return [];
  const issued = application.decidedAt && lastEntryDay(application.decidedAt);
  return [entryRule(textsIn(language, 'application'), language, issued)];
}

function beforeTravel({ t }: Words, { visa, recipient }: Decided): Section {
  const items = visa
    ? [
        t(`${textsFor(recipient)}.check`, { name: recipient.onBehalfOf }),
        t('approved.print'),
        t('approved.carry', { passport: maskNumber(visa.passportNumber) }),
        ...(visa.supportingDocumentType ? [t('approved.carryDocument')] : []),
        t('approved.papers'),
      ]
    : [t('approved.checkInsurance'), t('approved.printInsurance')];
  return { kind: 'list', title: t('approved.before'), items };
}
