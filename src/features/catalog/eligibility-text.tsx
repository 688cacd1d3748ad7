import { formatDate, type PlainDate } from '~/base/dates/dates.ts';
import { OfficialLink } from '~/ui/official-link.tsx';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { grantsEvisa, type Eligibility } from './eligibility.ts';
import { stayRule } from './regime.ts';

/** An eligibility in a sentence. `country`: its name in the page's language. */
export function EligibilityText({ answer, country }: { answer: Eligibility; country: string }) {
  const { t } = useTranslation('catalog');
  const { reason } = answer;
  if (reason === 'official_site' || reason === 'official_site_free') {
    return (
      <Trans
        components={{ official: <OfficialLink /> }}
        i18nKey={`eligibility.${reason}.text`}
        t={t}
        values={{ country }}
      />
    );
  }
  if (grantsEvisa(answer)) {
    return t(`eligibility.${answer.reason}.text`, {
      country,
      count: answer.stayDays,
      entries: t(`entries.${answer.entries}`),
      validity: answer.validityDays,
    });
  }
  if (answer.regime === 'no_evisa') return t(`eligibility.${answer.reason}.text`, { country });
  const stay = t(`stay.${stayRule(answer.stayDays)}`, { count: answer.stayDays });
  if (answer.reason !== 'visa_free_passport') {
    return t(`eligibility.${answer.reason}.text`, { country, stay });
  }
  const unknown = answer.document === 'identity' ? 'identity' : 'unknown';
  const document = t(`otherDocument.${answer.needsVisa ? 'visa' : unknown}`);
  return t('eligibility.visa_free_passport.text', { country, stay, document });
}

/** On which day the facts of a nationality were checked. */
export function CheckedOn({ date }: { date: PlainDate }) {
  const { t, language } = useTranslation('catalog');
  return <p className="mt-2 text-caption">{t('checked', { date: formatDate(date, language) })}</p>;
}
