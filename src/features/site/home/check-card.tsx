import { useTranslation } from '~/ui/texts/texts.tsx';
import type { CodeIn } from '~/base/text-keys.ts';
import { exampleArrival } from '~/features/visa/parts/example-arrival.ts';
import { TravelDocumentField } from '~/features/catalog/travel-document-field.tsx';
import { ANSWERS_FORM } from '~/ui/answers-form.ts';
import { Button } from '~/ui/button.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { SelectField, type SelectOption } from '~/ui/fields/select-field.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { CheckAnswer } from './check-answer.tsx';
import type { VisaCheck } from './visa-check.ts';

/** "Do I need a visa?": a GET form to this page, so that it works without scripts. */
export function CheckCard({
  check,
  countries,
  now,
  title,
}: {
  check: VisaCheck;
  countries: readonly SelectOption[];
  now: Date;
  /** The title of the page. */
  title: string;
}) {
  const { t } = useTranslation(['site', 'catalog']);
  const language = useLanguage();
  const example = exampleArrival(now, language);
  const { values, problems, answer } = check;
  const problem = (code: CodeIn<'site', 'home.check.problem'> | undefined) =>
    code ? t(`site:home.check.problem.${code}`, { date: example }) : undefined;
  const found = (['countryId', 'arrivalDate'] as const).flatMap((name) => {
    const message = problem(problems[name]);
    return message ? [{ name, message }] : [];
  });
  const isRefused = found.length > 0;
  return (
    <div
      className="scroll-mt-4 rounded-card bg-paper px-5 py-6 text-ink shadow-hero-card wide:p-8"
      data-check
      id={isRefused ? undefined : 'check'}
    >
      <FormHead id="check" problems={found} title={title} />
      <h2 className="text-h2-card">{t('site:home.check.title')}</h2>
      {/* The fragment scrolls to the answer on small screens. */}
      <form
        action="#check"
        className="form-fields mt-5.5"
        id={ANSWERS_FORM}
        method="get"
        noValidate
      >
        <SelectField
          defaultValue={values.countryId}
          emptyLabel={t(`catalog:countryField.${countries.length === 0 ? 'empty' : 'choose'}`)}
          error={problem(problems.countryId)}
          label={t('site:home.check.nationality')}
          name="countryId"
          options={countries}
          width="full"
        />
        <TravelDocumentField
          label={t('catalog:travelDocument.label')}
          value={values.documentType}
          width="full"
        />
        <DateField
          defaultValue={values}
          error={problem(problems.arrivalDate)}
          label={t('site:home.check.arrival')}
          name="arrivalDate"
        />
        <Button arrow wide>
          {t('site:home.check.button')}
        </Button>
      </form>
      {answer ? (
        <CheckAnswer answer={answer} />
      ) : (
        <p className="mt-3.5 text-center text-micro text-ink-2">{t('site:home.check.note')}</p>
      )}
    </div>
  );
}
