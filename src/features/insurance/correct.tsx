import { Fragment } from 'react';
import { CorrectedName } from '~/features/form/corrected-name.tsx';
import { CorrectionPage } from '~/features/form/correction-page.tsx';
import { PhoneQuestion } from '~/features/form/page/phone-question.tsx';
import { Question } from '~/features/form/page/question.tsx';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { answersHandle } from '~/ui/answers-form.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { handleCorrection, loadCorrection } from './correct.server.ts';
import { PhotoField } from './form/photo-field.tsx';
import { PhotoList } from './form/photo-list.tsx';
import { insuranceForm } from './rules/typed.ts';
import type { Route } from './+types/correct.ts';

export const handle = answersHandle;
export const loader = (args: Route.LoaderArgs) => loadCorrection(args);
export const action = (args: Route.ActionArgs) => handleCorrection(args);

/** The address contains the token. */
export const headers = () => PRIVATE_PAGE;

function CorrectInsurancePage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('insurance');
  const { phone = null, files = [] } = loaderData.open ?? {};
  return (
    <CorrectionPage answer={actionData} form={insuranceForm} page={loaderData} takesFiles>
      {(form, fields) =>
        fields.map((field) => {
          if (field === 'parentIdPhotos') {
            return (
              <Fragment key={field}>
                <PhotoList photos={files} />
                <PhotoField
                  error={form.errorAt(field)}
                  // Made anew once its photos are stored.
                  key={files.map(({ id }) => id).join()}
                  refused={actionData}
                />
              </Fragment>
            );
          }
          if (field === 'firstName' || field === 'lastName') {
            return <CorrectedName field={field} fields={fields} form={form} key={field} />;
          }
          return field === 'phone' && phone ? (
            <PhoneQuestion {...phone} form={form} hint={t('hints.phone')} key={field} />
          ) : (
            <Question field={field} form={form} key={field} width="full" />
          );
        })
      }
    </CorrectionPage>
  );
}

export { CorrectInsurancePage as default };
