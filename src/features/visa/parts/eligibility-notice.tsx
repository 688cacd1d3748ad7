import { useTranslation } from '~/ui/texts/texts.tsx';
import { CheckedOn, EligibilityText } from '~/features/catalog/eligibility-text.tsx';
import { eligibility, grantsEvisa } from '~/features/catalog/eligibility.ts';
import { countryNote } from '~/features/catalog/notes.ts';
import { parseTravelDocument } from '~/features/catalog/regime.ts';
import { Notice } from '~/ui/notice.tsx';
import type { CountryTerms } from '../rules/answers.ts';

/** What a nationality is granted on a travel document, or what to do instead. */
export function EligibilityNotice({
  country,
  name,
  documentType,
}: {
  country: CountryTerms;
  name: string;
  documentType: string;
}) {
  const { t } = useTranslation('catalog');
  const document = parseTravelDocument(documentType);
  if (!document) return null;
  const answer = eligibility(country, document);
  const key = `eligibility.${answer.reason}` as const;
  const note = document === 'ordinary' ? countryNote(country) : undefined;
  const tone = grantsEvisa(answer) ? 'green' : answer.regime === 'visa_free' ? 'blue' : 'red';
  return (
    <>
      <Notice title={t(`${key}.title`)} tone={tone}>
        <p>
          <EligibilityText answer={answer} country={name} />
        </p>
        {note ? <p className="mt-2">{t(`notes.${note}`)}</p> : null}
        {country.checkedOn ? <CheckedOn date={country.checkedOn} /> : null}
      </Notice>
      {answer.reason === 'supporting_document_required' ? (
        <Notice title={t('eligibility.supporting_document_required.documentTitle')} tone="amber">
          <p>{t('eligibility.supporting_document_required.documentText')}</p>
        </Notice>
      ) : null}
    </>
  );
}
