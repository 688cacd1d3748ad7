import { formatDate, parseDate } from '~/base/dates/dates.ts';
import type { FeastNotice } from '~/features/settings/feast-notice.ts';
import { footerWith, type EmailContent } from '../layout/content.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Words } from './words.server.ts';

/** Tells whoever may close days to check them, because a feast is near. */
export function feastNoticeEmail(
  { t, language, footer, page, reply }: Words,
  { feast, first }: Pick<FeastNotice, 'feast' | 'first'>,
): EmailContent {
  const day = parseDate(first);
  const values = {
    feast: textsIn(language, 'application')(`closedDays.${feast}`),
    date: day ? formatDate(day, language) : first,
  };
  const text = t('feast_ahead.text', values);
  return {
    language,
    subject: t('feast_ahead.subject', values),
    preview: text,
    heading: t('feast_ahead.heading'),
    greeting: t('greetingNobody'),
    paragraphs: [text],
    numbers: null,
    button: { label: t('feast_ahead.button'), href: page('/admin/settings/closed-days') },
    note: null,
    sections: [],
    closing: [reply, t('team')],
    footer: footerWith(footer, t('feast_ahead.privacy')),
  };
}
