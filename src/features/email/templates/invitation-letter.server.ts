import { footerWith, type Letter } from '../layout/letter.ts';
import type { Words } from './letter-words.server.ts';

/** The link by which somebody new at the desk chooses a password. */
export function invitationLetter(
  { t, language, footer, reply }: Words,
  { url, days }: { url: string; days: number },
): Letter {
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
