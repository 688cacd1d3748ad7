import { formatDate, parseDate } from '~/base/dates/dates.ts';
import type { Owned } from '~/features/application/lost-number/find-by-email-store.server.ts';
import { formatNumber } from '~/features/application/number.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { footerWith, type EmailContent } from '~/features/email/layout/content.ts';
import type { Words } from './email-words.server.ts';

/** The numbers of an address's applications: what each is, where it stands, and where it opens. No personal data. */
export function numbersEmail(
  words: Words,
  owned: readonly (Owned & { link: string })[],
): EmailContent {
  const { t, language } = words;
  const status = textsIn(language, 'application');
  const items = owned.map(({ application, order, link }) => {
    const first = parseDate(application.startsOn);
    const isOpen = application.status === 'pending' && !order.paidAt && !order.closedAt;
    return t('numbers.item', {
      number: formatNumber(application.number),
      what: t(`numbers.${application.kind}`, { date: first ? formatDate(first, language) : '' }),
      status: status(`status.${isOpen ? 'unpaid' : application.status}`),
      link,
    });
  });
  const [only, ...others] = owned;
  const isOne = only !== undefined && others.length === 0;
  return {
    language,
    subject: t('numbers.subject'),
    preview: t('numbers.preview', { count: owned.length }),
    heading: t('numbers.heading'),
    greeting: t('greetingNobody'),
    paragraphs: [t('numbers.text', { count: owned.length })],
    numbers: {
      label: t('number', { count: owned.length }),
      values: owned.map(({ application }) => formatNumber(application.number)),
    },
    button: isOne
      ? { label: t('numbers.open'), href: only.link }
      : { label: t('numbers.button'), href: words.page('/status') },
    note: t('numbers.note'),
    sections: [{ kind: 'list', title: t('numbers.list'), items }],
    closing: [t('numbers.stranger'), words.reply, t('team')],
    footer: footerWith(words.footer, t('numbers.privacy')),
  };
}
