import { useHasScripts } from '~/ui/scripts-input.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from '~/ui/page/form.tsx';
import { usePage } from '~/ui/page/page-context.tsx';
import { addDays, dateOf, formatDate, partsOf, TURKIYE } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { ChangingNotice } from '~/features/application/change/changing-notice.tsx';
import { CoverTable } from '~/features/application/cover/cover-table.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { CountryField } from '~/features/catalog/picker/country-field.tsx';
import { ReplacedNotice } from '~/features/form/draft/replaced-notice.tsx';
import { SaveLater } from '~/features/form/draft/save-later.tsx';
import { travelDocuments } from '~/features/catalog/regime.ts';
import { ANSWERS_FORM, formHandle } from '~/ui/answers-form.ts';
import { Button } from '~/ui/button.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { ErrorSummary } from '~/ui/fields/error-summary.tsx';
import { FieldRow, FormGroup, PageHead, WizardLayout } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { partsTyped } from '~/features/form/answers/controls.ts';
import { BirthDate } from '../fields/birth-date.tsx';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { EmailChoice } from '~/ui/fields/email-choice.tsx';
import { ParentId } from '../fields/parent-id.tsx';
import { PlanCards } from '../fields/plan-cards.tsx';
import { TextAnswer } from '../fields/text-answer.tsx';
import type { FormAnswer } from '../form/form-view.ts';
import { InsuranceTag } from '../form/insurance-tag.tsx';
import { openForm } from '../form/open-form.server.ts';
import { FormSummary } from '../form/form-summary.tsx';
import { planLength } from '../rules/plans.ts';
import { SHOWN_PRICES, writePrices } from '../rules/shown-prices.ts';
import { handleFormSubmit } from '../form/handle-form-submit.server.ts';
import { useInsuranceForm, type InsuranceForm } from '../form/use-insurance-form.tsx';
import type { Route } from './+types/insurance.ts';

export const handle = formHandle;
export const loader = (args: Route.LoaderArgs) => openForm(args);
export const action = (args: Route.ActionArgs) => handleFormSubmit(args);

/** Where the words of chosen values stand. */
const replacedWords = { documentType: 'catalog:travelDocument' };

function InsurancePage({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation(['insurance', 'ui']);
  const language = useLanguage();
  const answer: FormAnswer | undefined = actionData;
  const form = useInsuranceForm(view, answer);
  const { sending } = usePage();
  const hasScripts = useHasScripts();
  const errorPrefix = form.summary.length > 0 ? `${t('ui:errorSummary.titlePrefix')} ` : '';
  const today = dateOf(new Date(view.now), TURKIYE);
  return (
    <WizardLayout hideTagWhenNarrow progress={null} tag={<InsuranceTag form={form} />}>
      <title>{`${errorPrefix}${t('pageTitle')} · Lale`}</title>
      <ErrorSummary problems={form.summary} />
      <PageHead lead={t('lead')} title={t('title')} />
      {view.changing ? <ChangingNotice form="insurance" number={view.changing} /> : null}
      {Object.keys(form.replaced).length > 0 ? (
        <ReplacedNotice form="insurance" replaced={form.replaced} words={replacedWords} />
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
        <Form
          {...form.formProps}
          encType="multipart/form-data"
          id={ANSWERS_FORM}
          method="post"
          noValidate
        >
          <input name="version" type="hidden" value={view.version} />
          <input name="page" type="hidden" value={view.page} />
          <input defaultValue="0" name="turn" type="hidden" />
          <input name={SHOWN_PRICES} type="hidden" value={writePrices(view.plans)} />
          <Trip form={form} today={today} />
          <div className="form-group">
            <PlanCards form={form} />
          </div>
          <CoverTable cover={view.cover} />
          <FormGroup hint={t('traveller.hint')} title={t('traveller.title')}>
            <CountryField
              error={form.errorAt('nationality')}
              hint={t('hints.nationality')}
              label={t('labels.nationality')}
              name="nationality"
              options={view.countries}
              value={form.start.nationality}
              width="email"
            />
            <DocumentType form={form} />
            <FieldRow>
              <TextAnswer
                autoComplete="family-name"
                field="lastName"
                form={form}
                hint={t('hints.lastName')}
                latin
                width="full"
              />
              <TextAnswer
                autoComplete="given-name"
                field="firstName"
                form={form}
                hint={t('hints.firstName')}
                latin
                width="full"
              />
            </FieldRow>
            <TextAnswer
              autoCapitalize="characters"
              field="passportNumber"
              form={form}
              latin
              spellCheck={false}
            />
            <BirthDate
              defaultValue={partsTyped(form.start, 'dateOfBirth')}
              error={form.errorAt('dateOfBirth')}
              hint={t('hints.dateOfBirth')}
              label={t('labels.dateOfBirth')}
              thisYear={partsOf(today).year}
            />
            <TextAnswer field="placeOfBirth" form={form} latin />
          </FormGroup>
          <ParentId form={form} hasScripts={hasScripts} />
          <FormGroup title={t('contact.title')}>
            <TextAnswer
              after={
                <EmailChoice
                  ask={form.askedEmail}
                  chosen={form.start[EMAIL_ANSWER]}
                  typed={form.start.email ?? ''}
                />
              }
              autoComplete="email"
              field="email"
              form={form}
              hint={t('hints.email')}
              inputMode="email"
              latin
              spellCheck={false}
              type="email"
              width="email"
            />
            <TextAnswer
              autoComplete="tel"
              field="phone"
              form={form}
              hint={t('hints.phone')}
              inputMode="tel"
              latin
              type="tel"
            />
          </FormGroup>
          <FormSummary form={form} isBusy={sending !== null} />
          <SaveLater later={answer?.later} />
        </Form>
      )}
    </WizardLayout>
  );
}

function Trip({ form, today }: { form: InsuranceForm; today: ReturnType<typeof dateOf> }) {
  const { t } = useTranslation('insurance');
  const language = useLanguage();
  const length = (days: number) => planLength(days, t);
  const example = formatDate(addDays(today, 21), language);
  return (
    <FormGroup title={t('trip.title')}>
      <DateField
        defaultValue={partsTyped(form.start, 'travelDate')}
        error={form.errorAt('travelDate')}
        hint={t('hints.travelDate', { date: example })}
        label={t('labels.travelDate')}
        name="travelDate"
      />
      <DateField
        defaultValue={partsTyped(form.start, 'returnDate')}
        error={form.errorAt('returnDate')}
        hint={t('hints.returnDate')}
        label={t('labels.returnDate')}
        name="returnDate"
      />
      <p aria-live="polite" className="empty:hidden">
        {form.days === null ? null : t('trip.length', { count: form.days })}
      </p>
      <div aria-live="polite" className="empty:hidden">
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
      <TextAnswer field="destination" form={form} />
      {/* With scripts the plans follow the dates by themselves. */}
      <noscript>
        <Button look="secondary" name="intent" value="quote">
          {t('trip.update')}
        </Button>
      </noscript>
    </FormGroup>
  );
}

function DocumentType({ form }: { form: InsuranceForm }) {
  const { t } = useTranslation(['insurance', 'catalog']);
  return (
    <SelectField
      defaultValue={form.start.documentType || 'ordinary'}
      error={form.errorAt('documentType')}
      label={t('labels.documentType')}
      name="documentType"
      options={travelDocuments.map((value) => ({
        value,
        label: t(`catalog:travelDocument.${value}`),
      }))}
      width="email"
    />
  );
}

export { InsurancePage as default };
