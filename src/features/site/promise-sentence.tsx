import { numberFormat } from '~/base/intl.ts';
import { intlLocale } from '~/base/languages.ts';
import type { PromiseRecord } from '~/features/application/promise-record.server.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** How many of the last year's ready-by times the operator kept. */
export function PromiseSentence({ record: { due, percent } }: { record: PromiseRecord }) {
  const { t } = useTranslation('site');
  const locale = intlLocale(useLanguage());
  return t('record', {
    due: numberFormat(locale).format(due),
    share: numberFormat(locale, { style: 'percent' }).format(percent / 100),
  });
}
