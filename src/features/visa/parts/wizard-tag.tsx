import { useTranslation } from '~/ui/texts/texts.tsx';
import type { CodeIn } from '~/base/text-keys.ts';
import { formatDate } from '~/base/dates/dates.ts';
import { add as sum, formatMoney, type Money } from '~/base/money.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { useMomentParts } from '~/ui/moment.tsx';
import { LuggageTag, type TagFact } from '~/ui/tag/luggage-tag.tsx';
import type { Answers } from '../rules/answers.ts';
import type { PriceList } from '../rules/price-list.ts';
import type { ChosenCountry } from './step-view.ts';
import { summaryOf, type SpeedsInTime } from './summary.ts';

type WizardTagProps = {
  answers: Answers;
  country: ChosenCountry | null;
  places: Readonly<Record<string, string>>;
  now: Date;
  /** If it is paid now. */
  readyBy: Date | null;
  prices: PriceList;
  inTime: SpeedsInTime;
  /** The insurance in the order. */
  addOn?: { label: string; amount: Money } | null;
  /** The total before it changed. */
  was?: Money | null;
  marksTotal: boolean;
};

/** A summary of the application so far, beside every step. */
export function WizardTag({
  answers,
  country,
  places,
  now,
  readyBy,
  prices,
  inTime,
  addOn,
  was,
  marksTotal,
}: WizardTagProps) {
  const { t } = useTranslation(['visa', 'catalog']);
  const language = useLanguage();
  const words = useMomentParts(now);
  const { lines, total, isFrom, arrival, path, processingType } = summaryOf(
    answers,
    country,
    prices,
    inTime,
  );

  const facts: TagFact[] = [];
  const add = (term: CodeIn<'visa', 'tag'>, value: string | null | undefined) =>
    value ? facts.push({ term: t(`tag.${term}`), value }) : 0;
  if (country && answers.documentType) {
    add('document', t(`catalog:travelDocument.${answers.documentType}`, answers.documentType));
  }
  add('supporting', supportingDocument());
  if (path && country?.maxStayDays && country.entries) {
    const entries = t(`catalog:entries.${country.entries}`);
    add('allows', t('tag.allowed', { count: country.maxStayDays, entries }));
  }
  add('arrival', arrival && formatDate(arrival, language));
  add('readyBy', readyBy && words(readyBy, 'short').own);
  for (const { code, amount } of lines) {
    const term =
      code === 'evisa_fee' || !processingType
        ? t('review.evisaFee')
        : t(`speed.processing.${processingType}`);
    facts.push({ term, value: <bdi className="figures">{formatMoney(amount, language)}</bdi> });
  }

  if (addOn) {
    const amount = formatMoney(addOn.amount, language);
    facts.push({ term: addOn.label, value: <bdi className="figures">{amount}</bdi> });
  }

  function supportingDocument(): string | null {
    if (answers.hasSupportingDocument !== 'yes') return null;
    const code =
      answers.supportingDocumentType === 'visa' ? answers.visaCountry : answers.residenceCountry;
    const place = code && places[code];
    if (!place) return null;
    return answers.supportingDocumentType === 'visa'
      ? t('tag.supportingVisa', { place })
      : t('tag.supportingResidence', { place });
  }

  return (
    <LuggageTag
      facts={facts}
      from={{ code: country?.code, label: t('tag.passport') }}
      label={t('tag.label')}
      marksTotal={marksTotal}
      numberLabel={t('tag.number')}
      numberPrefix="TRV"
      to={{ code: 'TUR', label: t('tag.destination') }}
      total={{
        label: t(isFrom ? 'tag.fromTotal' : 'tag.total'),
        amount: formatMoney(addOn ? sum(total, addOn.amount) : total, language),
        note: was && t('tag.was', { amount: formatMoney(was, language) }),
      }}
    />
  );
}
