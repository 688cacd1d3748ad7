import {
  isFixedRetention,
  retentionBounds,
  settableRetention,
  SHORTENING_NOTICE_DAYS,
} from '~/features/site/retention.ts';
import { retentionInForce } from '~/features/site/retention.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import {
  decideEach,
  makeSetting,
  type OpeningSection,
  type OpenSection,
} from './section.server.ts';

const DAY_MS = 24 * 3_600_000;

/** How long personal data are kept: periods that can be set, and periods fixed by law. */
export function openRetention({ language }: OpeningSection): OpenSection {
  const t = makeTranslate(language, 'settings');
  const settings = settableRetention.map((kind) => {
    const name = t(`retention.kind.${kind}`);
    const { least, most } = retentionBounds[kind];
    return makeSetting<number>({
      name,
      subject: kind,
      control: {
        kind: 'text',
        name: kind,
        label: t('retention.inYears', { kind: name }),
        hint: t('retention.bounds', retentionBounds[kind]),
        inputMode: 'numeric',
        maxLength: 2,
        width: 'short',
      },
      at: (decided, moment) => retentionInForce(decided, moment)[kind],
      stored: Number,
      read(text) {
        const value = /^\d{1,2}$/.test(text) ? Number(text) : 0;
        const bounds = { least: String(least), most: String(most) };
        return value < least || value > most
          ? { code: 'years_outside', values: bounds }
          : { value };
      },
      write: String,
      words: (count) => t('retention.years', { count }),
    });
  });
  return {
    title: t('retention.title'),
    lead: t('retention.lead', { count: SHORTENING_NOTICE_DAYS }),
    view: (decided, now) => ({
      above: [
        {
          heading: t('retention.fixed'),
          items: Object.entries(retentionInForce(decided, now)).flatMap(([kind, count]) =>
            isFixedRetention(kind)
              ? [{ lines: [`${t(`retention.kind.${kind}`)}: ${t('retention.years', { count })}`] }]
              : [],
          ),
        },
      ],
      form: {
        sendsShown: true,
        groups: [{ rows: settings.map((one) => [one.control(decided, now)]) }],
      },
    }),
    ...decideEach('retention', language, settings),
    earliest(values, decided, now) {
      const then = retentionInForce(decided, now);
      const isShorter = settableRetention.some(
        (kind) => Number(values[kind] ?? Infinity) < then[kind],
      );
      return isShorter ? new Date(now.getTime() + SHORTENING_NOTICE_DAYS * DAY_MS) : now;
    },
  };
}
