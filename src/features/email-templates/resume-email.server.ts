import { footerWith, type EmailContent } from '~/features/email/layout/content.ts';
import type { Words } from './email-words.server.ts';

/** The link that opens a draft on another device. */
export function resumeEmail(
  { t, language, footer, reply }: Words,
  { url, days }: { url: string; days: number },
): EmailContent {
  return {
    language,
    subject: t('resume.subject'),
    preview: t('resume.preview', { count: days }),
    heading: t('resume.heading'),
    greeting: t('greetingNobody'),
    paragraphs: [t('resume.text')],
    numbers: null,
    button: { label: t('resume.button'), href: url },
    note: t('resume.note', { count: days }),
    sections: [],
    closing: [t('resume.stranger'), reply, t('team')],
    footer: footerWith(footer, t('resume.privacy')),
  };
}
