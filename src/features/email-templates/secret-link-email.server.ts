import { footerWith, type EmailContent } from '~/features/email/layout/content.ts';
import type { Words } from './email-words.server.ts';

/** What a link opens: a draft on another device, or the choice of a first or of another password at the desk. */
export type LinkKind = 'resume' | 'invitation' | 'password_reset';

/** An e-mail about no application, with a link. `count`: how long it works, a new password in minutes, the rest in days. */
export function secretLinkEmail(
  { t, language, footer, reply }: Words,
  kind: LinkKind,
  { url, count }: { url: string; count: number },
): EmailContent {
  const note = t(`${kind}.note`, { count });
  return {
    language,
    subject: t(`${kind}.subject`),
    // What is said of a draft beside is too long for a list of e-mails.
    preview: kind === 'resume' ? t('resume.preview', { count }) : note,
    heading: t(`${kind}.heading`),
    greeting: t('greetingNobody'),
    paragraphs: [t(`${kind}.text`)],
    numbers: null,
    button: { label: t(`${kind}.button`), href: url },
    note,
    sections: [],
    closing: [t(`${kind}.stranger`), reply, t('team')],
    footer: footerWith(footer, t(`${kind}.privacy`)),
  };
}
