import { useTranslation } from '~/ui/texts/texts.tsx';
import { limitsInTexts } from '~/features/form/answers/limits.ts';
import { Button } from '~/ui/button.tsx';
import { FileField } from '~/ui/fields/file-field.tsx';
import { FormGroup } from '~/ui/layout.tsx';
import { PHOTO_TYPES } from '../rules/photo-rules.ts';
import type { InsuranceForm } from '../form/use-insurance-form.tsx';

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
      {form.photos.length > 0 ? (
        <div>
          <p className="font-semibold">{t('parent.kept')}</p>
          <ul className="mt-2 grid gap-2">
            {form.photos.map(({ id, name, size, isStored }) => (
              <li className="flex flex-wrap items-center gap-x-4 gap-y-1" key={id}>
                <img
                  alt={t('parent.preview', { name })}
                  className="h-16 w-24 rounded border border-line object-cover"
                  height={64}
                  src={`/insurance/photos/${id}`}
                  width={96}
                />
                <bdi>{name}</bdi>
                <span className="text-small text-ink-2">
                  {t('parent.size', { size: Math.ceil(size / 1024) })}
                </span>
                {isStored ? null : (
                  <Button formNoValidate look="plain" name="intent" small value={`remove:${id}`}>
                    {t('parent.remove', { name })}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
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
