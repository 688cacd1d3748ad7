import { footerWith, type EmailContent } from '~/features/email/layout/content.ts';
import type { Words } from './email-words.server.ts';

/** The link by which somebody new at the desk chooses a password. */
export function invitationEmail(
  { t, language, footer, reply }: Words,
  { url, days }: { url: string; days: number },
): EmailContent {
  return {
    language,
    subject: t('invitation.subject'),
    preview: t('invitation.preview', { count: days }),
    heading: t('invitation.heading'),
    greeting: t('greetingNobody'),
    paragraphs: [t('invitation.text')],
    numbers: null,
    button: { label: t('invitation.button'), href: url },
    note: t('invitation.note', { count: days }),
    sections: [],
    closing: [t('invitation.stranger'), reply, t('team')],
    footer: footerWith(footer, t('invitation.privacy')),
  };
}
