import { useTranslation, Trans } from '~/ui/texts/texts.tsx';
import type { CodeIn } from '~/base/text-keys.ts';
import { exampleArrival } from '~/features/visa/parts/example-arrival.ts';
import { TravelDocumentField } from '~/features/catalog/travel-document-field.tsx';
import { ANSWERS_FORM } from '~/ui/answers-form.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { SelectField, type SelectOption } from '~/ui/fields/select-field.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { VisaCheck } from './visa-check.ts';
import { splitDate } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { CheckedOn, EligibilityText } from '~/features/catalog/eligibility-text.tsx';
import type { Eligibility } from '~/features/catalog/eligibility.ts';
import { countryNote } from '~/features/catalog/notes.ts';
import { Notice, type NoticeTone } from '~/ui/notice.tsx';
import { MomentText } from './moment-text.tsx';

type Answer = NonNullable<VisaCheck['answer']>;

const tones: Record<Eligibility['regime'], NoticeTone> = {
  visa_free: 'blue',
  evisa: 'green',
  evisa_with_document: 'green',
  no_evisa: 'red',
};

/** The answer: what is possible, from when, at which price, and a link to continue. */
function CheckAnswer({ answer }: { answer: Answer }) {
  const { t } = useTranslation(['site', 'catalog']);
  const { country, eligibility, offer } = answer;
  const note = answer.documentType === 'ordinary' ? countryNote(country) : undefined;
  const name = t(`countries:${country.code}`, { defaultValue: country.name });
  const reason = `catalog:eligibility.${eligibility.reason}` as const;
  return (
    <section
      aria-labelledby="check-answer"
      className="check-answer mt-5 grid gap-3 [&_p+p]:mt-1.5"
      tabIndex={-1}
    >
      <Notice
        heading="h3"
        headingId="check-answer"
        title={t(`${reason}.title`)}
        tone={tones[eligibility.regime]}
      >
        <p>
          <EligibilityText answer={eligibility} country={name} />
        </p>
        {offer ? <Offer offer={offer} /> : null}
        {note ? <p>{t(`catalog:notes.${note}`)}</p> : null}
        <CheckedOn date={country.checkedOn} />
      </Notice>
      {eligibility.reason === 'supporting_document_required' ? (
        <Notice
          title={t('catalog:eligibility.supporting_document_required.documentTitle')}
          tone="amber"
        >
          <p>{t('catalog:eligibility.supporting_document_required.documentText')}</p>
        </Notice>
      ) : null}
      {offer === null ? <Notice tone="amber">{t('site:home.check.tooLate')}</Notice> : null}
      {offer === undefined ? (
        <ButtonLink look="secondary" to={`/insurance?country=${country.code}`} wide>
          {t('catalog:unavailable.insurance')}
        </ButtonLink>
      ) : (
        <ButtonLink look="secondary" to={`/application?${startQuery(answer)}`} wide>
          {t('site:home.check.start')}
        </ButtonLink>
      )}
    </section>
  );
}

function Offer({ offer }: { offer: NonNullable<Answer['offer']> }) {
  const { t } = useTranslation('site');
  const language = useLanguage();
  return (
    <p>
      <Trans
        components={{ promise: <MomentText at={offer.readyBy} /> }}
        i18nKey="home.check.offer"
        t={t}
        values={{ total: formatMoney(offer.total, language) }}
      />
    </p>
  );
}

/** Passes the answers on to the wizard. */
function startQuery({ country, documentType, arrivalDate }: Answer): string {
  const query = new URLSearchParams({ countryId: country.code, documentType });
  if (arrivalDate) {
    const { day, month, year } = splitDate(arrivalDate);
    query.set('arrivalDate-day', String(day));
    query.set('arrivalDate-month', String(month));
    query.set('arrivalDate-year', String(year));
  }
  return query.toString();
}

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
