import { formatDate, parseDate } from '~/base/dates/dates.ts';
import { formatNumber } from '~/base/format-number.ts';
import {
  NUMBERS_JOB,
  readAskedNumbers,
  applicationsByEmail,
  type OwnedApplication,
} from '~/features/status/ask-numbers.server.ts';
import { hasSeveralTravellers, byTraveller } from '~/features/application/travellers.ts';
import { payerLink } from '~/features/order/payer/payer.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { replacePrivacyText, type EmailContent, type ListItem } from '../layout/content.server.ts';
import { statusPage, type JobKind, type EmailWords } from './kind.server.ts';

type ListedApplication = OwnedApplication & { link: string };

/**
 * The numbers of an address's applications: kind, status and link of each. No personal data but first names, where the
 * address is the payer's of several travellers: then the order is listed with its link, followed by each application.
 */
function numbersEmail(words: EmailWords, owned: readonly ListedApplication[]): EmailContent {
  const { t, language } = words;
  const orders = new Map(owned.map((one) => [one.order.number, one.order]));
  const items = [...orders.keys()].flatMap((number) =>
    itemsOfOrder(
      words,
      owned.filter(({ order }) => order.number === number),
    ),
  );
  const [only, ...others] = owned;
  const isOne = only !== undefined && others.length === 0;
  return {
    language,
    subject: t('numbers.subject'),
    preview: t('numbers.preview', { count: owned.length }),
    heading: t('numbers.heading'),
    greeting: t('greetingNobody'),
    paragraphs: [t('numbers.text', { count: owned.length })],
    numbers: isOne
      ? { label: t('number', { count: 1 }), values: [formatNumber(only.application.number)] }
      : null,
    button: isOne
      ? { label: t('numbers.open'), href: only.link }
      : { label: t('numbers.button'), href: words.page('/status') },
    note: t('numbers.note'),
    sections: [{ kind: 'list', title: t('numbers.list'), items }],
    closing: [t('numbers.stranger'), words.reply, t('team')],
    footer: replacePrivacyText(words.footer, t('numbers.privacy')),
  };
}

function itemsOfOrder(words: EmailWords, listed: readonly ListedApplication[]): ListItem[] {
  const { t } = words;
  const open = (text: string, href: string) => ({
    text,
    link: { label: t('received.button'), href },
  });
  const applications = listed.map(({ application }) => application);
  const [first] = listed;
  if (!first?.isPayer || !hasSeveralTravellers(applications)) {
    return listed.map((one) => open(t('numbers.item', factsOf(words, one)), one.link));
  }
  const travellers = byTraveller(applications);
  const inOrder = travellers.flatMap(({ applications: own }) => own.map(({ number }) => number));
  return [
    open(
      t('several.numbersOrder', {
        count: travellers.length,
        number: formatNumber(first.order.number),
      }),
      first.link,
    ),
    ...listed
      .toSorted(
        (one, other) =>
          inOrder.indexOf(one.application.number) - inOrder.indexOf(other.application.number),
      )
      .map((one) =>
        t('several.numbersItem', { ...factsOf(words, one), name: one.application.firstName }),
      ),
  ];
}

function factsOf({ t, language }: EmailWords, { application, order }: ListedApplication) {
  const first = parseDate(application.startsOn);
  const isOpen = application.status === 'pending' && !order.paidAt && !order.closedAt;
  return {
    number: formatNumber(application.number),
    what: t(`numbers.${application.kind}`, { date: first ? formatDate(first, language) : '' }),
    status: makeTranslate(
      language,
      'application',
    )(`status.${isOpen ? 'unpaid' : application.status}`),
  };
}

export const numbers: JobKind = {
  jobs: {
    /** Nothing to an address that has no applications. */
    [NUMBERS_JOB]: async (platform, payload) => {
      const { id, email, language } = readAskedNumbers(platform, payload);
      const owned = await applicationsByEmail(platform.db, email);
      if (owned.length === 0) return null;
      const write = (words: EmailWords) =>
        numbersEmail(
          words,
          owned.map((one) => ({
            ...one,
            link: one.isPayer ? payerLink(platform, one.order) : statusPage(words, one.application),
          })),
        );
      return { about: id, to: email, language, write };
    },
  },
};
