import { promisedNow } from '~/features/application/promised.ts';
import { applicationById } from '~/features/application/store.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import {
  afterPayment,
  toTraveller,
  type ApplicationKind,
  aboutApplication,
  type About,
  type Words,
} from './kind.server.ts';

/** The application was sent to the authorities: what happens next and by when. */
function processingEmail(words: Words, sent: About): EmailContent {
  const { t, moment } = words;
  const { statusPage, written, other, ...shared } = aboutApplication(words, sent);
  const name = { name: other };
  const promisedAt = promisedNow(sent.application);
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
      ...(promisedAt && other === null
        ? [t('received.ready', { promise: moment(promisedAt) })]
        : []),
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
    return toTraveller(platform, application, processingEmail, {
      after: afterPayment(application.orderNumber),
    });
  },
};
