import { footerWith, type EmailContent } from '~/features/email/layout/content.ts';
import type { Words } from './email-words.server.ts';

/** The link by which somebody at the desk chooses a new password; `minutes` is how long it works. */
export function resetEmail(
  { t, language, footer, reply }: Words,
  { url, minutes }: { url: string; minutes: number },
): EmailContent {
  return {
    language,
    subject: t('reset.subject'),
    preview: t('reset.note', { count: minutes }),
    heading: t('reset.heading'),
    greeting: t('greetingNobody'),
    paragraphs: [t('reset.text')],
    numbers: null,
    button: { label: t('reset.button'), href: url },
    note: t('reset.note', { count: minutes }),
    sections: [],
    closing: [t('reset.stranger'), reply, t('team')],
    footer: footerWith(footer, t('reset.privacy')),
  };
}
