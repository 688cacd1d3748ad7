import { listFormat } from '~/base/intl.ts';
import { footerWith, type EmailContent } from '../layout/content.ts';
import type { Words } from './words.server.ts';

/** What a link opens: a draft on another device, or the choice of a first or new staff password. */
export type LinkKind = 'resume' | 'invitation' | 'password_reset';

/**
 * An email about no application, with a link. `count`: how long the link works, in minutes for a new password,
 * otherwise in days; `answered`: the names of what a draft answers, without the answers.
 */
export function secretLinkEmail(
  { t, language, footer, reply }: Words,
  kind: LinkKind,
  { url, count, answered = [] }: { url: string; count: number; answered?: readonly string[] },
): EmailContent {
  const note = t(`${kind}.note`, { count });
  return {
    language,
    subject: t(`${kind}.subject`),
    // The note about a draft is too long for the preview in a list of emails.
    preview: kind === 'resume' ? t('resume.preview', { count }) : note,
    heading: t(`${kind}.heading`),
    greeting: t('greetingNobody'),
    paragraphs: [
      t(`${kind}.text`),
      ...(answered.length > 0
        ? [t('resume.answered', { answers: listFormat(language, {}).format(answered) })]
        : []),
    ],
    numbers: null,
    button: { label: t(`${kind}.button`), href: url },
    note,
    sections: [],
    closing: [t(`${kind}.stranger`), reply, t('team')],
    footer: footerWith(footer, t(`${kind}.privacy`)),
  };
}
