import { promisedNow } from '~/features/application/calendar/promised.ts';
import type { EmailContent } from '~/features/email/layout/content.ts';
import { about, type Decided } from './decided-email.server.ts';
import type { Words } from './email-words.server.ts';

/** The application was sent to the authorities: what happens next and by when. */
export function processingEmail(
  words: Words,
  sent: Pick<Decided, 'application' | 'recipient'>,
): EmailContent {
  const { t, promise } = words;
  const { statusPage, written, other, ...shared } = about(words, sent);
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
      ...(promisedAt && other === null ? [t('received.ready', promise(promisedAt))] : []),
    ],
    button: { label: t('received.button'), href: statusPage },
    note: null,
    sections: [],
  };
}
