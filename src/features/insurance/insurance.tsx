import { useHasScripts } from '~/ui/scripts-input.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { usePage } from '~/ui/page/page-context.tsx';
import { toPlainDate, formatDate, splitDate, TURKIYE, partsTyped } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { ChangingNotice } from '~/features/application/changing-notice.tsx';
import { CoverTable } from '~/features/application/cover-table.tsx';
import { CountryField } from '~/features/catalog/picker/country-field.tsx';
import { PartyLine } from '~/features/form/draft/party-line.tsx';
import { GoneNotice } from '~/features/form/draft/gone-notice.tsx';
import { ReplacedNotice } from '~/features/form/draft/replaced-notice.tsx';
import { DraftForm } from '~/features/form/page/draft-form.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { NameQuestions, PhoneQuestion } from '~/features/form/page/person-questions.tsx';
import { Question } from '~/features/form/page/question.tsx';
import { TravelDocumentField } from '~/features/catalog/travel-document-field.tsx';
import { ANSWERS_FORM, formHandle } from '~/ui/answers-form.ts';
import { Button } from '~/ui/button.tsx';
import { FormGroup, PageHead, WizardLayout, FormActions } from '~/ui/layout.tsx';
import { Announced } from '~/ui/announced.tsx';
import { Notice } from '~/ui/notice.tsx';
import type { InsuranceAnswer, InsuranceView } from './form/form-view.ts';
import { openForm } from './form/open-form.server.ts';
import { planLength, lastInsuredDay } from './rules/plans.ts';
import { SHOWN_PRICES, writePrices, PLAN_SHOWN, PLAN_WISH } from './rules/typed.ts';
import { handleFormSubmit } from './form/handle-form-submit.server.ts';
import { useInsuranceForm, type InsuranceForm } from './form/use-insurance-form.tsx';
import type { Route } from './+types/insurance.ts';
import { limitsInTexts } from '~/features/form/answers/limits.ts';
import { PhotoField, PhotoList } from './form/photos.tsx';
import { OrderSummary } from '~/ui/order-summary.tsx';
import { LuggageTag, type TagFact } from '~/ui/luggage-tag.tsx';
import { RadioCards, type RadioCard } from '~/ui/fields/radio-cards.tsx';
import { calendarWords } from '~/base/dates/calendar-words.ts';
import { FieldSet } from '~/ui/fields/field-set.tsx';
import { hasError } from '~/ui/fields/field.tsx';
import { DatePart, DateParts, type DateParts as TypedDate } from '~/ui/fields/date-field.tsx';

/** Years in the selector; typing accepts older ones (product decision). */
const YEARS_OFFERED = 80;

/** A date of birth in three selectors that can also be typed into: day, name or number of the month, year. */
function BirthDate({
  defaultValue,
  error,
  label,
  thisYear,
}: {
  defaultValue: TypedDate;
  error?: string;
  label: string;
  thisYear: number;
}) {
  const { t, language } = useTranslation('ui');
  const parts = [
    { part: 'day', mode: 'numeric', length: 2, offered: numbers(31, (index) => index + 1) },
    { part: 'month', mode: 'text', length: 20, offered: calendarWords[language].months },
    {
      part: 'year',
      mode: 'numeric',
      length: 4,
      offered: numbers(YEARS_OFFERED, (index) => thisYear - index),
    },
  ] as const;
  return (
    <FieldSet error={error} label={label} name="dateOfBirth" width="number">
      <DateParts>
        {parts.map(({ part, mode, length, offered }) => {
          const id = part === 'day' ? 'dateOfBirth' : `dateOfBirth-${part}`;
          return (
            <DatePart id={id} key={part} label={t(`date.${part}`)}>
              <input
                aria-invalid={hasError(error) || undefined}
                aria-required
                autoComplete={`bday-${part}`}
                className="control figures"
                defaultValue={defaultValue[part]}
                id={id}
                inputMode={mode}
                list={`dateOfBirth-${part}s`}
                maxLength={length}
                name={`dateOfBirth-${part}`}
                type="text"
              />
              <datalist id={`dateOfBirth-${part}s`}>
                {offered.map((value) => (
                  <option key={value}>{value}</option>
                ))}
              </datalist>
            </DatePart>
          );
        })}
      </DateParts>
    </FieldSet>
  );
}

const numbers = (length: number, at: (index: number) => number): readonly string[] =>
  Array.from({ length }, (_, index) => String(at(index)));

export const handle = formHandle;
export const loader = (args: Route.LoaderArgs) => openForm(args);
export const action = (args: Route.ActionArgs) => handleFormSubmit(args);

/** The keys of chosen values' texts. */
const replacedWords = {
  documentType: (value: string) => `catalog:travelDocument.${value}`,
  productId: (value: string) => `application:service.${value}.name`,
};

function InsurancePage({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t, language } = useTranslation(['insurance', 'visa']);
  const answer: InsuranceAnswer | undefined = actionData;
  const form = useInsuranceForm(view, answer);
  const { sending } = usePage();
  const hasScripts = useHasScripts();
  const today = toPlainDate(new Date(view.now), TURKIYE);
  const { party } = view;
  const who =
    party &&
    t('visa:party.which', {
      number: party.positions.indexOf(party.position) + 1,
      total: party.positions.length,
    });
  return (
    <WizardLayout hideTagWhenNarrow progress={null} tag={<InsuranceTag form={form} />}>
      <FormHead
        problems={form.summary}
        title={[t('pageTitle'), who, 'Lale'].filter(Boolean).join(' · ')}
      />
      {party ? <PartyLine /> : null}
      <PageHead
        lead={t('lead')}
        title={
          <>
            {who ? <span className="block text-small">{who}</span> : null} {t('title')}
          </>
        }
      />
      {view.undocumented ? <UndocumentedNotice {...view.undocumented} /> : null}
      {(answer ? answer.isGone : view.isGone) ? <GoneNotice form="insurance" /> : null}
      {view.changing ? <ChangingNotice form="insurance" number={view.changing} /> : null}
      {answer?.replaced ? (
        <ReplacedNotice form="insurance" replaced={answer.replaced} words={replacedWords} />
      ) : null}
      {answer?.priceChange ? (
        <Notice className="mb-8" role="alert" tone="amber">
          {t('priceChanged', {
            before: formatMoney(answer.priceChange.before, language),
            amount: formatMoney(answer.priceChange.now, language),
          })}
        </Notice>
      ) : null}
      {view.plans.length === 0 ? (
        <>
          <Notice title={t('none.title')} tone="amber">
            <p>{t('none.text')}</p>
          </Notice>
          <form hidden id={ANSWERS_FORM} method="post" />
        </>
      ) : (
        <DraftForm {...form.formProps} answer={answer} encType="multipart/form-data" view={view}>
          <input name={SHOWN_PRICES} type="hidden" value={writePrices(view.plans)} />
          <Trip destination={view.destination} form={form} today={today} />
          <div className="form-group">
            <PlanCards form={form} />
          </div>
          <details className="save-later mt-4">
            <summary className="min-h-11 cursor-pointer py-2.5 underline underline-offset-4">
              {t('terms.title')}
            </summary>
            <CoverTable cover={view.cover} />
          </details>
          <FormGroup hint={t('traveller.hint')} title={t('traveller.title')}>
            <CountryField
              error={form.errorAt('nationality')}
              isRequired
              label={t('labels.nationality')}
              name="nationality"
              options={view.countries}
              value={form.start.nationality}
              width="email"
            />
            <TravelDocumentField
              error={form.errorAt('documentType')}
              label={t('labels.documentType')}
              value={form.start.documentType}
            />
            <NameQuestions form={form} />
            <Question field="passportNumber" form={form} />
            <BirthDate
              defaultValue={partsTyped(form.start, 'dateOfBirth')}
              error={form.errorAt('dateOfBirth')}
              label={t('labels.dateOfBirth')}
              thisYear={splitDate(today).year}
            />
            <Question field="placeOfBirth" form={form} />
          </FormGroup>
          {party ? null : <ParentId form={form} hasScripts={hasScripts} />}
          <FormGroup title={t('contact.title')}>
            <Question field="email" form={form} hint={t('hints.email')} />
            <PhoneQuestion
              codes={view.phoneCodes}
              form={form}
              nationality={form.start.nationality}
            />
          </FormGroup>
          <FormSummary
            form={form}
            isBusy={sending !== null}
            next={t(party ? 'visa:party.confirm' : 'next')}
          />
        </DraftForm>
      )}
    </WizardLayout>
  );
}

/** What somebody needs who came here without a supporting document, or at an age that needs no visa. */
function UndocumentedNotice({
  note,
  exemption,
  isExempt,
}: NonNullable<InsuranceView['undocumented']>) {
  const { t } = useTranslation(['insurance', 'catalog']);
  const title = isExempt
    ? t('undocumented.exempt')
    : exemption
      ? t('undocumented.titleAges', exemption)
      : t('undocumented.title');
  return (
    <Notice className="mb-8" title={title} tone={isExempt ? 'blue' : 'amber'}>
      {note ? <p>{t(`catalog:notes.${note}`)}</p> : null}
      {isExempt ? null : <p>{t('undocumented.text')}</p>}
    </Notice>
  );
}

function Trip({
  form,
  today,
  destination,
}: {
  form: InsuranceForm;
  today: ReturnType<typeof toPlainDate>;
  destination: string;
}) {
  const { t, language } = useTranslation('insurance');
  const length = (days: number) => planLength(days, t);
  return (
    <FormGroup title={t('trip.title')}>
      <Question
        calendar={{ min: today }}
        field="travelDate"
        form={form}
        hint={t('hints.travelDate')}
      />
      <Question
        calendar={{ min: today }}
        field="returnDate"
        form={form}
        hint={t('hints.returnDate')}
      />
      <p aria-live="polite" className="empty:absolute">
        {form.days === null ? null : t('trip.length', { count: form.days })}
      </p>
      <div aria-live="polite" className="empty:absolute">
        {form.moved ? (
          <Notice tone="amber">
            {t('plan.moved', {
              plan: length(form.moved.to.days),
              amount: formatMoney(form.moved.to.price, language),
              before: formatMoney(form.moved.from.price, language),
            })}
          </Notice>
        ) : null}
      </div>
      <Announced>
        {form.told && !form.moved
          ? t('plan.selected', {
              plan: length(form.told.days),
              amount: formatMoney(form.told.price, language),
            })
          : ''}
      </Announced>
      <div>
        <p className="field-label">{t('labels.destination')}</p>
        <p>{destination}</p>
      </div>
      {/* With scripts the plans follow the dates automatically. */}
      <noscript>
        <Button look="secondary" name="intent" value="quote">
          {t('trip.update')}
        </Button>
      </noscript>
    </FormGroup>
  );
}

export { InsurancePage as default };

/**
 * Photos of a parent's ID, for travellers under 18. Without scripts always shown; with scripts shown once the dates
 * require it, or while photos are chosen.
 */
function ParentId({ form, hasScripts }: { form: InsuranceForm; hasScripts: boolean }) {
  const { t } = useTranslation('insurance');
  const error = form.errorAt('parentIdPhotos');
  const isNeeded = form.isMinor === true || form.photos.length > 0 || error !== undefined;
  if (hasScripts && !isNeeded) return null;
  return (
    <FormGroup
      hint={t(form.isMinor ? 'parent.hintMinor' : 'parent.hint', limitsInTexts)}
      title={t('parent.title')}
    >
      <PhotoList photos={form.photos} sourceOf={(id) => `/insurance/photos/${id}`} />
      <p aria-live="polite" className="empty:absolute">
        {form.isKeepingPhotos ? t('parent.keeping') : null}
      </p>
      <PhotoField
        error={error}
        // Made anew once its photos are stored.
        key={form.photos.map(({ id }) => id).join()}
        onChoose={form.onFiles}
        refused={form.refused}
      />
    </FormGroup>
  );
}

/** The price so far, and the button that continues to the review. */
function FormSummary({
  form,
  isBusy,
  next,
}: {
  form: InsuranceForm;
  isBusy: boolean;
  /** The label of the button. */
  next: string;
}) {
  const { t, language } = useTranslation('insurance');
  const { chosen } = form.selection;
  const amount = chosen && formatMoney(chosen.price, language);
  return (
    <>
      <div className="mt-6">
        {amount ? (
          <OrderSummary
            lines={[{ label: t('summary.line', { plan: planLength(chosen.days, t) }), amount }]}
            note={t('summary.note')}
            title={t('summary.title')}
            total={{ label: t('summary.total'), amount }}
          />
        ) : (
          <p className="text-small text-ink-2">{t('summary.open')}</p>
        )}
      </div>
      <FormActions>
        <Button arrow busy={isBusy} name="intent" type="submit" value="next">
          {next}
        </Button>
      </FormActions>
    </>
  );
}

/** A summary of the insurance so far, beside the form. */
function InsuranceTag({ form }: { form: InsuranceForm }) {
  const { t, language } = useTranslation('insurance');
  const { travelDate, days, typed } = form;
  const { chosen } = form.selection;
  const facts: TagFact[] = [];
  const length = (count: number) => planLength(count, t);
  if (chosen) facts.push({ term: t('tag.plan'), value: length(chosen.days) });
  if (travelDate) facts.push({ term: t('tag.first'), value: formatDate(travelDate, language) });
  if (travelDate && chosen) {
    const last = formatDate(lastInsuredDay(travelDate, chosen), language);
    facts.push({ term: t('tag.last'), value: last });
  }
  if (days !== null) facts.push({ term: t('tag.trip'), value: t('days', { count: days }) });
  return (
    <LuggageTag
      facts={facts}
      from={{ code: typed.nationality || undefined, label: t('tag.passport') }}
      label={t('tag.label')}
      numberPrefix="TRI"
      to={{ code: 'TUR', label: t('tag.destination') }}
      total={{
        label: t('tag.total'),
        amount: chosen ? formatMoney(chosen.price, language) : '–',
      }}
    />
  );
}

/** The plans with their prices; one that is shorter than the trip is disabled and says why. */
function PlanCards({ form }: { form: InsuranceForm }) {
  const { t, language } = useTranslation('insurance');
  const { selection, days, travelDate } = form;
  const cards = selection.offers.map(({ plan, isTooShort }): RadioCard => {
    const fit = isTooShort ? 'tooShort' : 'covers';
    const hasMoment = travelDate !== null && !isTooShort;
    return {
      value: plan.id,
      name: planLength(plan.days, t),
      details: days === null ? null : t(`plan.${fit}`, { count: days }),
      momentLabel: hasMoment ? t('plan.until') : '',
      moment: hasMoment ? formatDate(lastInsuredDay(travelDate, plan), language) : '',
      price: formatMoney(plan.price, language),
      disabled: isTooShort,
    };
  });
  const length = (days: number) => planLength(days, t);
  const { chosen, cheaper, ruledOut, choice } = selection;
  return (
    <>
      <RadioCards
        cards={cards}
        defaultValue={chosen?.id}
        error={form.errorAt('productId')}
        heading="h2"
        hint={t('plan.hint')}
        // Remounted for other dates and other plans, so that the default selection applies again.
        key={[days ?? 'open', ...cards.map(({ value }) => value)].join(' ')}
        label={t('labels.productId')}
        name="productId"
      />
      <input name={PLAN_SHOWN} type="hidden" value={choice.selected} />
      <input name={PLAN_WISH} type="hidden" value={choice.wish} />
      <div aria-live="polite" className="mt-5 empty:absolute">
        {chosen && cheaper ? (
          <Notice tone="blue">
            {t('plan.cheaper', {
              plan: length(cheaper.days),
              amount: formatMoney(cheaper.price, language),
            })}
          </Notice>
        ) : null}
        {chosen && ruledOut ? (
          <Notice tone="amber">
            {t('plan.ruledOut', {
              own: length(ruledOut.days),
              plan: length(chosen.days),
              amount: formatMoney(chosen.price, language),
            })}
          </Notice>
        ) : null}
      </div>
    </>
  );
}
