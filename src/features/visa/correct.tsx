import { Fragment } from 'react';
import { CorrectedName } from '~/features/form/corrected-name.tsx';
import { CorrectionPage } from '~/features/form/correction-page.tsx';
import { PhoneQuestion } from '~/features/form/page/phone-question.tsx';
import { Question } from '~/features/form/page/question.tsx';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { answersHandle } from '~/ui/answers-form.ts';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { handleCorrection, loadCorrection } from './correct.server.ts';
import { NameLines } from './parts/name-lines.tsx';
import type { Field } from './rules/questions.ts';
import { UNLIMITED, visaForm } from './rules/typed.ts';
import type { Route } from './+types/correct.ts';

export const handle = answersHandle;
export const loader = (args: Route.LoaderArgs) => loadCorrection(args);
export const action = (args: Route.ActionArgs) => handleCorrection(args);

/** The address contains the token. */
export const headers = () => PRIVATE_PAGE;

const isName = (field: Field) => field === 'firstName' || field === 'lastName';

function CorrectPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('visa');
  const phone = loaderData.open?.phone;
  return (
    <CorrectionPage answer={actionData} form={visaForm} page={loaderData}>
      {(form, fields) =>
        fields.map((field) => (
          <Fragment key={field}>
            {field === 'phone' && phone ? (
              <PhoneQuestion {...phone} form={form} hint={t('details.phoneHint')} />
            ) : field === 'firstName' || field === 'lastName' ? (
              <CorrectedName field={field} fields={fields} form={form} />
            ) : (
              <Question field={field} form={form} width="full" />
            )}
            {field === fields.findLast(isName) ? <NameLines form={form} /> : null}
            {field === 'supportingDocumentEndDate' ? (
              <CheckBox
                defaultChecked={form.start[UNLIMITED] === 'yes'}
                hint={t('supporting_document.unlimitedHint')}
                label={t('labels.supportingDocumentUnlimited')}
                name={UNLIMITED}
              />
            ) : null}
          </Fragment>
        ))
      }
    </CorrectionPage>
  );
}

export { CorrectPage as default };
