import { useTranslation } from '~/ui/texts/texts.tsx';
import { ageOn, parseDate } from '~/base/dates/dates.ts';
import { countryAgeNote } from '~/features/catalog/age-notes.ts';
import { countryNote } from '~/features/catalog/notes.ts';
import { Notice } from '~/ui/notice.tsx';
import { EXEMPT, type VisaAnswers, type CountryTerms } from '../rules/answers.ts';

/** What the traveller's age on arrival changes for this nationality, with a box to confirm it. */
export function AgeNotice({
  answers,
  country,
}: {
  answers: VisaAnswers;
  country: CountryTerms | null;
}) {
  const { t } = useTranslation(['visa', 'catalog']);
  const birth = parseDate(answers.dateOfBirth ?? '');
  const arrival = parseDate(answers.arrivalDate ?? '');
  if (!birth || !arrival || !country || birth > arrival) return null;
  const age = ageOn(birth, arrival);
  const note = countryAgeNote(country, age);
  const noted = countryNote(country);
  if (!note || !noted) return null;
  const needsNone = note === 'no_document';
  if (needsNone && answers.hasSupportingDocument === EXEMPT) return null;
  const tone = needsNone ? 'blue' : 'amber';
  return (
    <Notice className="mb-6" role="status" title={t(`age.${note}`, { age })} tone={tone}>
      <p>{t(`catalog:notes.${noted}`)}</p>
      <p>{t(needsNone ? 'age.withoutDocument' : 'age.goOn')}</p>
    </Notice>
  );
}
