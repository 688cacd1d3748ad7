import { formatDate, parseDate } from '~/base/dates/dates.ts';
import { maskNumber } from '~/features/application/document-number.ts';
import { entryRule, lastEntryDay } from '~/features/application/entry-rule.ts';
import type { Recipient } from '~/features/application/recipient.ts';
import { downloadAddress } from '~/features/status/download.server.ts';
import {
  applicationById,
  applicationByDocument,
  currentDocument,
  replacementMoment,
  type Application,
} from '~/features/application/store.server.ts';
import { EVISA_VALIDITY_DAYS } from '~/features/catalog/regime.ts';
import { MAIL_LINK_DAYS } from '~/features/order/receipt/issue-receipt.server.ts';
import { readVisaDetails, type VisaDetails } from '~/features/visa/store/store.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { EmailContent, EmailSection } from '../layout/content.server.ts';
import {
  paymentOccasions,
  travellerEmail,
  type ApplicationKind,
  aboutApplication,
  type EmailSubject,
  type EmailWords,
} from './kind.server.ts';

type Decided = EmailSubject & {
  /** A visa's own answers; null for an insurance. */
  visa: VisaDetails | null;
  /** Opens the download without a date of birth for seven days; null while there is no document. */
  download: string | null;
};

/** Texts to the traveller, or to a payer who gets an email about another traveller. */
const textsFor = ({ onBehalfOf }: Recipient) => (onBehalfOf === null ? 'approved' : 'member');

/** Approved, with the download, or with a note that it will follow. */
export function approvedEmail(words: EmailWords, decided: Decided): EmailContent {
  const { t } = words;
  const { application, download } = decided;
  const isVisa = application.kind === 'visa';
  const { statusPage, written, other, ...shared } = aboutApplication(words, decided);
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
  words: EmailWords,
  decided: Decided & { download: string; replacedOf: Date | null },
): EmailContent {
  const { t } = words;
  const isVisa = decided.application.kind === 'visa';
  const { statusPage: _, written, other, ...shared } = aboutApplication(words, decided);
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
      decided.replacedOf
        ? t('document.replaces', { moment: words.moment(decided.replacedOf) })
        : t('document.text'),
    ],
    button: {
      label: t(isVisa ? 'approved.button' : 'approved.buttonInsurance'),
      href: decided.download,
    },
    note: t('approved.note', { count: MAIL_LINK_DAYS }),
    sections: [beforeTravel(words, decided)],
  };
}

function allowance({ t, language }: EmailWords, { application, visa }: Decided): string {
  const day = parseDate(application.startsOn);
  const date = day ? formatDate(day, language) : application.startsOn;
  if (!visa) return t('approved.insurance', { date });
  const { entries, stayDays: count } = visa;
  return t(`approved.${entries}`, { count, validity: EVISA_VALIDITY_DAYS, date });
}

/** By when to enter, where that is limited: on an e-visa with a supporting document. */
function entry({ language }: EmailWords, { application, visa }: Decided): string[] {
  if (!visa?.supportingDocumentType) return [];
  const issued = application.decidedAt && lastEntryDay(application.decidedAt);
  return [entryRule(makeTranslate(language, 'application'), language, issued)];
}

function beforeTravel({ t }: EmailWords, { visa, recipient }: Decided): EmailSection {
  const items = visa
    ? [
        t(`${textsFor(recipient)}.check`, { name: recipient.onBehalfOf }),
        t('approved.print'),
        t('approved.carry', { passport: maskNumber(visa.passportNumber) }),
        ...(visa.supportingDocumentType ? [t('approved.carryDocument')] : []),
      ]
    : [t('approved.checkInsurance'), t('approved.printInsurance')];
  return { kind: 'list', title: t('approved.before'), items };
}

/** Subject: the application's id. */
export const approved: ApplicationKind = {
  find: async (platform, id) => {
    const application = await applicationById(platform.db, id);
    if (application?.status !== 'approved') return null;
    return travellerEmail(
      platform,
      application,
      async (words, about) =>
        approvedEmail(words, { ...about, ...(await visaAndDownload(platform, application)) }),
      { after: paymentOccasions(application.orderNumber) },
    );
  },
};

/** Subject: the document's id. */
export const document: ApplicationKind = {
  find: async (platform, documentId) => {
    const application = await applicationByDocument(platform.db, documentId);
    if (application?.status !== 'approved') return null;
    return travellerEmail(
      platform,
      application,
      async (words, about) => {
        const { visa, download } = await visaAndDownload(platform, application);
        return documentEmail(words, {
          ...about,
          visa,
          download: download ?? downloadAddress(platform, application),
          replacedOf: await replacementMoment(platform.db, {
            applicationId: application.id,
            documentId,
          }),
        });
      },
      { after: [{ kind: 'approved', about: application.id }] },
    );
  },
};

async function visaAndDownload(platform: Platform, application: Application) {
  const { db, sealer } = platform;
  const [visa, file] = await Promise.all([
    application.kind === 'visa' ? readVisaDetails(db, sealer, application.id) : null,
    currentDocument(db, application.id),
  ]);
  return { visa, download: file ? downloadAddress(platform, application) : null };
}
