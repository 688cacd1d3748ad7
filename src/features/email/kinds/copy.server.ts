import { copyAddress } from '~/features/status/copy-link.server.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { MAIL_LINK_DAYS } from '~/features/order/receipt/issue-receipt.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import {
  travellerEmail,
  type ApplicationKind,
  aboutApplication,
  type EmailSubject,
  type EmailWords,
} from './kind.server.ts';

/** The link to a copy of all answers, which somebody asked for on the status page. */
function copyEmail(words: EmailWords, of: EmailSubject, link: string): EmailContent {
  const { t } = words;
  const { statusPage: _page, written, other: _other, ...shared } = aboutApplication(words, of);
  return {
    ...shared,
    subject: t('copy.subject', { number: written }),
    preview: t('copy.preview'),
    heading: t('copy.heading'),
    paragraphs: [t('copy.text')],
    button: { label: t('copy.button'), href: link },
    note: t('approved.note', { count: MAIL_LINK_DAYS }),
    sections: [],
  };
}

/** Subject: the application's id. */
export const copy: ApplicationKind = {
  find: async (platform, id) => {
    const application = await applicationById(platform.db, id);
    if (!application) return null;
    return travellerEmail(platform, application, (words, about) =>
      copyEmail(words, about, copyAddress(platform, application)),
    );
  },
};
