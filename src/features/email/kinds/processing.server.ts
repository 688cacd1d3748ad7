import { runningPromise } from '~/features/application/promised.ts';
import { applicationById } from '~/features/application/store.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import {
  paymentOccasions,
  travellerEmail,
  type ApplicationKind,
  aboutApplication,
  type EmailSubject,
  type EmailWords,
} from './kind.server.ts';

/** The application was sent to the authorities: what happens next and by when. */
function processingEmail(words: EmailWords, sent: EmailSubject): EmailContent {
  const { t, moment } = words;
  const { statusPage, written, other, ...shared } = aboutApplication(words, sent);
  const name = { name: other };
  const promisedAt = runningPromise(sent.application);
  return {
    ...shared,
    subject:
      other === null
        ? t('processing.subject', { number: written })
        : t('member.subject', { what: t('member.about', name), number: written }),
    preview: t('processing.preview'),
    heading: t('processing.heading'),
    paragraphs: [
      other === null ? t('processing.text') : t('processing.textOf', name),
      ...(promisedAt ? [t('received.ready', { promise: moment(promisedAt) })] : []),
    ],
    button: { label: t('received.button'), href: statusPage },
    note: null,
    sections: [],
  };
}

/** Sent to the authorities; nothing once it is decided. Subject: the application's id. */
export const processing: ApplicationKind = {
  find: async (platform, id) => {
    const application = await applicationById(platform.db, id);
    if (application?.status !== 'processing') return null;
    return travellerEmail(platform, application, processingEmail, {
      after: paymentOccasions(application.orderNumber),
    });
  },
};
