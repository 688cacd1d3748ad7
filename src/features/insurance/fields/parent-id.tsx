import { useTranslation } from '~/ui/texts/texts.tsx';
import { limitsInTexts } from '~/features/form/answers/limits.ts';
import { FileField } from '~/ui/fields/file-field.tsx';
import { FormGroup } from '~/ui/layout.tsx';
import { PHOTO_TYPES } from '../rules/photo-rules.ts';
import type { InsuranceForm } from '../form/use-insurance-form.tsx';
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
      <p aria-live="polite" className="empty:hidden">
        {form.isKeepingPhotos ? t('parent.keeping') : null}
      </p>
      <FileField
        accept={PHOTO_TYPES.join(',')}
        error={error}
        hint={t('parent.files', limitsInTexts)}
        // Remounts the file chooser once its photos are stored.
        key={form.photos.map(({ id }) => id).join()}
        label={t('labels.parentIdPhotos')}
        multiple
        name="parentIdPhotos"
        onChange={form.onFiles}
      />
    </FormGroup>
  );
}
