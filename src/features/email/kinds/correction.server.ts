import { toPlainDate, formatDate, UTC } from '~/base/dates/dates.ts';
import { formatNumber } from '~/base/format-number.ts';
import { runningPromise } from '~/features/application/promised.ts';
import { correctionAddress } from '~/features/application/reopened.server.ts';
import {
  sendCorrectionReminders,
  correctionById,
  type Correction,
} from '~/features/application/correction/correction-store.server.ts';
import { deadlineWords } from '~/features/application/correction/correction.ts';
import type { Recipient } from '~/features/application/recipient.ts';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import {
  travellerEmail,
  type ApplicationKind,
  aboutApplication,
  greeting,
  type EmailSubject,
  type EmailWords,
} from './kind.server.ts';

/** Asks the traveller to correct some answers, or reminds of it. `labels`: the reopened fields in the content's language. */
function correctionEmail(
  { t, language, footer, reply, moment }: EmailWords,
  {
    application: { number, kind, startsOn },
    recipient,
    labels,
    correction: { note, answerBy, keepsStart },
    url,
    isReminder,
  }: {
    application: Application;
    recipient: Recipient;
    labels: string[];
    correction: Pick<Correction, 'note' | 'answerBy' | 'keepsStart'>;
    url: string;
    isReminder: boolean;
  },
): EmailContent {
  const date = formatDate(toPlainDate(answerBy, UTC), language);
  const deadline = { kind, startsOn, keepsStart, moment: moment(answerBy) };
  const name = recipient.onBehalfOf;
  const written = formatNumber(number);
  return {
    language,
    subject:
      name === null
        ? t(isReminder ? 'correction.reminder' : 'correction.subject', { number: written })
        : t('member.subject', {
            what: t(isReminder ? 'member.reminder' : 'member.correction', { name }),
            number: written,
          }),
    preview: t('correction.preview'),
    heading: name === null ? t('correction.heading') : t('member.correction', { name }),
    greeting: greeting(t, recipient),
    paragraphs: [
      ...(isReminder ? [t('correction.still')] : []),
      t('correction.text'),
      deadlineWords(makeTranslate(language, 'correction'), language, deadline).join(' '),
    ],
    numbers: { label: t('number', { count: 1 }), values: [written] },
    button: { label: t('correction.button'), href: url },
    note: t('correction.note', { date }),
    sections: [
      { kind: 'quote', title: t('correction.words'), text: note },
      { kind: 'list', title: t('correction.fields'), items: labels },
    ],
    // The first one said how to reach us.
    closing: [...(isReminder ? [] : [reply]), t('team')],
    footer,
  };
}

/** How a correction ended: the traveller answered it, staff withdrew it, or its time has passed. */
export type CorrectionEnd = 'answered' | 'withdrawn' | 'expired';

/** A correction has ended and work on the application continues: until when it is ready now. */
export function correctionEndedEmail(
  words: EmailWords,
  { end, now, ...ended }: EmailSubject & { end: CorrectionEnd; now: Date },
): EmailContent {
  const { t, moment } = words;
  const { statusPage, written, other, ...shared } = aboutApplication(words, ended);
  const heading = t(`correctionEnded.${end}`);
  const promisedAt = runningPromise(ended.application);
  return {
    ...shared,
    subject: t('member.subject', {
      what: other === null ? heading : t('member.about', { name: other }),
      number: written,
    }),
    preview: t('correctionEnded.preview'),
    heading,
    paragraphs: [
      t(`correctionEnded.${end}Text`),
      ...(promisedAt && promisedAt > now
        ? [t('correctionEnded.ready', { moment: moment(promisedAt) })]
        : []),
    ],
    button: { label: t('received.button'), href: statusPage },
    note: null,
    sections: [],
  };
}

/** Subject: the correction's id. */
const findCorrection =
  (isReminder: boolean): ApplicationKind['find'] =>
  async (platform, correctionId) => {
    const found = await correctionById(platform.db, correctionId);
    const application = found && (await applicationById(platform.db, found.applicationId));
    // Answered or withdrawn before the job ran: the link would no longer work.
    if (!found || !application || found.answeredAt || found.closedAt) return null;
    return travellerEmail(platform, application, (words, about) => {
      const own = makeTranslate(words.language, application.kind);
      const labels = found.fields.map((field) => own(`labels.${field}`, field));
      const url = correctionAddress(platform, found, { ...application, language: words.language });
      return correctionEmail(words, { ...about, labels, correction: found, url, isReminder });
    });
  };

export const correction: ApplicationKind = { find: findCorrection(false) };

export const correctionReminder: ApplicationKind = {
  find: findCorrection(true),
  recurring: {
    cron: '23 * * * *',
    name: 'application.chase_corrections',
    run: sendCorrectionReminders,
  },
};

/** Answered, withdrawn or expired. Subject: the correction's id. */
export const correctionEnded: ApplicationKind = {
  /** Nothing while another correction is open, and once it is decided. */
  find: async (platform, correctionId) => {
    const found = await correctionById(platform.db, correctionId);
    const application = found && (await applicationById(platform.db, found.applicationId));
    const isOver = found?.answeredAt ?? found?.closedAt;
    if (!found || !application || !isOver || application.decidedAt || application.pausedAt)
      return null;
    return travellerEmail(platform, application, (words, about) =>
      correctionEndedEmail(words, { ...about, end: endOf(found), now: platform.now() }),
    );
  },
};

const endOf = ({ answeredAt, expiredAt }: Correction): CorrectionEnd =>
  answeredAt ? 'answered' : expiredAt ? 'expired' : 'withdrawn';
