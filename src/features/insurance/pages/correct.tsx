import { Fragment } from 'react';
import { CorrectedName } from '~/features/form/correction/corrected-name.tsx';
import { CorrectionPage } from '~/features/form/correction/correction-page.tsx';
import { PhoneQuestion } from '~/features/form/page/phone-question.tsx';
import { Question } from '~/features/form/page/question.tsx';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { answersHandle } from '~/ui/answers-form.ts';
import { FileField } from '~/ui/fields/file-field.tsx';
import { limitsInTexts } from '~/features/form/answers/limits.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { handleCorrection, loadCorrection } from '../correction/correct.server.ts';
import { PhotoList } from '../fields/photo-list.tsx';
import { PHOTO_TYPES } from '../rules/photo-rules.ts';
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
    <CorrectionPage answer={actionData} form="insurance" page={loaderData} takesFiles>
      {(form, fields) =>
        fields.map((field) => {
          if (field === 'parentIdPhotos') {
            return (
              <Fragment key={field}>
                <PhotoList photos={files} />
                <FileField
                  accept={PHOTO_TYPES.join(',')}
                  error={form.errorAt(field)}
                  hint={t('parent.files', limitsInTexts)}
                  // Remounts the file chooser once its photos are stored.
                  key={files.map(({ id }) => id).join()}
                  label={t('labels.parentIdPhotos')}
                  multiple
                  name={field}
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
