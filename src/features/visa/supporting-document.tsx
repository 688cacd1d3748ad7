import { useTranslation } from '~/ui/texts/texts.tsx';
import { ageExemption } from '~/features/catalog/age-notes.ts';
import { documentPathConditions, countryNote } from '~/features/catalog/notes.ts';
import { Question } from '~/features/form/page/question.tsx';
import { formHandle } from '~/ui/answers-form.ts';
import { Button } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FormFields } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { EXEMPT } from './rules/answers.ts';
import { previewPromise } from './rules/ready-by.ts';
import { INSURE, type StepAnswer } from './parts/step-view.ts';
import {
  openSupportingDocument,
  handleSupportingDocumentSubmit,
} from './wizard/nationality.server.ts';
import { UNLIMITED } from './rules/typed.ts';
import { useStepForm } from './parts/use-step-form.tsx';
import { useServerClock } from '~/ui/use-now.tsx';
import { WizardPage } from './parts/wizard-page.tsx';
import type { Route } from './+types/supporting-document.ts';

export const handle = formHandle;
export const loader = (args: Route.LoaderArgs) => openSupportingDocument(args);
export const action = (args: Route.ActionArgs) => handleSupportingDocumentSubmit(args);

/*
 * CSS shows the questions that apply, so that this works without scripts. Browsers without `:has` show all of them, and
 * the check ignores those that do not apply.
 */
const hiddenAtFirst = 'supports-[selector(:has(*))]:hidden';
const afterYes = `${hiddenAtFirst} group-has-[[name=hasSupportingDocument][value=yes]:checked]/document:grid`;
const afterVisa = `${hiddenAtFirst} group-has-[[name=supportingDocumentType][value=visa]:checked]/document:block`;
const afterResidence = `${hiddenAtFirst} group-has-[[name=supportingDocumentType][value=residence]:checked]/document:block`;
const afterType = `${hiddenAtFirst} group-has-[[name=supportingDocumentType]:checked]/document:grid`;
const afterSchengen = `${hiddenAtFirst} group-has-[[name=supportingDocumentType][value=visa]:checked]/document:group-has-[[name=visaCountry]_[value=SCHENGEN]:checked]/document:block`;
const ifUnlimited = `${hiddenAtFirst} group-has-[[name=supportingDocumentType][value=residence]:checked]/document:block group-has-[[name=visaCountry]_[value=SCHENGEN]:checked]/document:block`;

/** A document without expiry has no end date; the box only counts where it is shown. */
const notIfUnlimited =
  'group-has-[[name=supportingDocumentType][value=residence]:checked]/document:group-has-[[name=supportingDocumentUnlimited]:checked]/document:hidden group-has-[[name=visaCountry]_[value=SCHENGEN]:checked]/document:group-has-[[name=supportingDocumentType][value=visa]:checked]/document:group-has-[[name=supportingDocumentUnlimited]:checked]/document:hidden';

/* The label of Next for each answer. */
const ifNo = 'hidden [main:has([name=hasSupportingDocument][value=no]:checked)_&]:inline';
const ifExempt = 'hidden [main:has([name=hasSupportingDocument][value=exempt]:checked)_&]:inline';
const unlessNo = '[main:has([name=hasSupportingDocument][value=no]:checked)_&]:hidden';
const unlessOut =
  '[main:has([name=hasSupportingDocument]:is([value=no],[value=exempt]):checked)_&]:hidden';

/* The button beside Next is there where Next leaves the traveller out. */
const onlyNo = '[main:not(:has([name=hasSupportingDocument][value=no]:checked))_&]:hidden';
const onlyOut =
  '[main:not(:has([name=hasSupportingDocument]:is([value=no],[value=exempt]):checked))_&]:hidden';

function SupportingDocumentPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation(['visa', 'catalog']);
  const { view, visaOptions, residenceOptions } = loaderData;
  const answer: StepAnswer | undefined = actionData;
  const now = useServerClock(view.now);
  const step = useStepForm(view, answer, now);
  const { start } = step;
  const note = view.country ? countryNote(view.country) : undefined;
  const exemption = view.country && ageExemption(view.country);
  const endsIfExempt = exemption?.from === 'visa_free';
  const insurance = t(view.party ? 'party.leaveOut' : 'nextInsurance');
  return (
    <WizardPage
      answer={answer}
      // By CSS, so that the button says where it leads without scripts as well.
      nextLabel={
        <>
          <span className={endsIfExempt ? unlessOut : unlessNo}>{t('next')}</span>
          {endsIfExempt ? <span className={ifExempt}>{insurance}</span> : null}
          <span className={ifNo}>{insurance}</span>
        </>
      }
      besideNext={
        view.party ? (
          <Button
            className={endsIfExempt ? onlyOut : onlyNo}
            look="secondary"
            name="intent"
            value={INSURE}
          >
            {t('party.insure')}
          </Button>
        ) : null
      }
      now={now}
      readyBy={previewPromise(step.answers, step.country, now, view.office)}
      step={step}
      title={t('supporting_document.title')}
      view={view}
    >
      <div className="group/document">
        <FormFields>
          <RadioList
            defaultValue={start.hasSupportingDocument}
            error={step.errorAt('hasSupportingDocument')}
            heading="h2"
            hint={t('supporting_document.hasHint')}
            label={t('supporting_document.hasSupportingDocument')}
            name="hasSupportingDocument"
            options={[
              { value: 'yes', label: t('supporting_document.yes') },
              {
                value: 'no',
                label: t('supporting_document.no'),
                hint: exemption
                  ? t('supporting_document.noHintAges', exemption)
                  : t('supporting_document.noHint'),
              },
              ...(exemption
                ? [
                    {
                      value: EXEMPT,
                      label: t('supporting_document.exempt', exemption),
                      hint: t(`supporting_document.exemptHint.${exemption.from}`),
                    },
                  ]
                : []),
            ]}
          />
          <div className={`gap-6 ${afterYes}`}>
            <RadioList
              defaultValue={start.supportingDocumentType}
              error={step.errorAt('supportingDocumentType')}
              label={t('supporting_document.supportingDocumentType')}
              name="supportingDocumentType"
              options={[
                { value: 'visa', label: t('supporting_document.visa') },
                { value: 'residence', label: t('supporting_document.residence') },
              ]}
            />
            <div className={afterVisa}>
              <SelectField
                defaultValue={start.visaCountry}
                emptyLabel={t('supporting_document.choose')}
                error={step.errorAt('visaCountry')}
                label={t('supporting_document.visaCountry')}
                name="visaCountry"
                options={visaOptions.map(({ id, name }) => ({ value: id, label: name }))}
              />
            </div>
            <div className={afterResidence}>
              <SelectField
                defaultValue={start.residenceCountry}
                emptyLabel={t('supporting_document.choose')}
                error={step.errorAt('residenceCountry')}
                label={t('supporting_document.residenceCountry')}
                name="residenceCountry"
                options={residenceOptions.first.map(({ id, name }) => ({ value: id, label: name }))}
              >
                <optgroup label={t('supporting_document.furtherResidence')}>
                  {residenceOptions.further.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </optgroup>
              </SelectField>
            </div>
            <div className={`gap-6 ${afterType}`}>
              <Question
                field="supportingDocumentNumber"
                form={step}
                hint={t('supporting_document.numberHint')}
              />
              <div className={afterSchengen}>
                <Question field="supportingDocumentStartDate" form={step} />
              </div>
              <div className={notIfUnlimited}>
                <Question
                  field="supportingDocumentEndDate"
                  form={step}
                  hint={t('supporting_document.endHint')}
                />
              </div>
              <div className={ifUnlimited}>
                <CheckBox
                  defaultChecked={start[UNLIMITED] === 'yes'}
                  hint={t('supporting_document.unlimitedHint')}
                  label={t('labels.supportingDocumentUnlimited')}
                  name={UNLIMITED}
                />
              </div>
            </div>
          </div>
          <Notice tone="blue" title={t('catalog:conditions.intro')}>
            <ul className="list-disc ps-5">
              {documentPathConditions.map((code) => (
                <li key={code}>{t(`catalog:conditions.${code}`)}</li>
              ))}
            </ul>
            {note ? <p className="mt-2">{t(`catalog:notes.${note}`)}</p> : null}
          </Notice>
        </FormFields>
      </div>
    </WizardPage>
  );
}

export { SupportingDocumentPage as default };
