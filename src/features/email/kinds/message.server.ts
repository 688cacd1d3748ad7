import { messageById } from '~/features/application/messages/messages.server.ts';
import { applicationById } from '~/features/application/store.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import {
  aboutApplication,
  travellerEmail,
  type ApplicationKind,
  type EmailSubject,
  type EmailWords,
} from './kind.server.ts';

/** What staff wrote to the traveller of an application, as they wrote it. */
export function messageEmail(words: EmailWords, to: EmailSubject, text: string): EmailContent {
  const { t } = words;
  const { statusPage, written, other, ...shared } = aboutApplication(words, to);
  return {
    ...shared,
    subject:
      other === null
        ? t('message.subject', { number: written })
        : t('member.subject', { what: t('member.about', { name: other }), number: written }),
    preview: t('message.preview'),
    heading: other === null ? t('message.heading') : t('member.about', { name: other }),
    words: text,
    paragraphs: [],
    button: { label: t('received.button'), href: statusPage },
    note: null,
    sections: [],
  };
}

/** Subject: the message's id. */
export const message: ApplicationKind = {
  /** Nothing where it was taken back. */
  find: async (platform, id) => {
    const found = await messageById(platform.db, platform.sealer, id);
    const application = found && (await applicationById(platform.db, found.applicationId));
    if (!found || !application) return null;
    return travellerEmail(platform, application, (words, about) =>
      messageEmail(words, about, found.text),
    );
  },
};
