import { useTranslation } from '~/ui/texts/texts.tsx';
import { limitsInTexts } from '~/features/form/answers/limits.ts';
import { FormGroup } from '~/ui/layout.tsx';
import type { InsuranceForm } from '../form/use-insurance-form.tsx';
import { PhotoField } from './photo-field.tsx';
import { PhotoList } from './photo-list.tsx';

/**
 * Photos of a parent's ID, for travellers under 18. Without scripts always shown; with scripts shown once the dates
 * require it, or while photos are chosen.
 */
export function ParentId({ form, hasScripts }: { form: InsuranceForm; hasScripts: boolean }) {
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
