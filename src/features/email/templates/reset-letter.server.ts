import { footerWith, type Letter } from '../layout/letter.ts';
import type { Words } from './letter-words.server.ts';

/** The link by which somebody at the desk chooses a new password; `minutes` is how long it works. */
export function resetLetter(
  { t, language, footer, reply }: Words,
  { url, minutes }: { url: string; minutes: number },
): Letter {
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
