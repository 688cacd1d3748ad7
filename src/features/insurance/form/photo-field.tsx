import { useState, type ChangeEvent, type ReactNode } from 'react';
import { LARGEST_PHOTO_BYTES, limitsInTexts } from '~/features/form/answers/limits.ts';
import { FileField } from '~/ui/fields/file-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { PHOTO_TYPES } from '../rules/photo-rules.ts';

/** A larger photo is made smaller in the browser before it is sent. */
const SHRINK_ABOVE_BYTES = LARGEST_PHOTO_BYTES / 2;

/** Loaded when needed: few travellers are children. */
const fetchShrink = () => import('./shrink-photo.ts');

/**
 * The chooser of a parent's photos. Photos as phones take them are made smaller before they are sent. A photo that was
 * refused is no longer chosen, so that it does not stop the next press.
 */
export function PhotoField({
  error,
  refused,
  onChoose,
  hasHint = true,
}: {
  error: ReactNode;
  /** What the server has found wrong with the form: the photos that came with it are stored or refused. */
  refused: object | undefined;
  /** The files as they will be sent. Those that it refuses must not stay chosen: it says so by answering false. */
  onChoose?: (files: readonly File[]) => boolean;
  hasHint?: boolean;
}) {
  const { t } = useTranslation('insurance');
  const [last, setLast] = useState({ refused, turn: 0 });
  if (last.refused !== refused) {
    setLast({ refused, turn: refused === undefined ? last.turn : last.turn + 1 });
  }

  async function onChange({ currentTarget: control }: ChangeEvent<HTMLInputElement>) {
    const chosen = [...(control.files ?? [])];
    let files = chosen;
    if (chosen.some(({ size }) => size > SHRINK_ABOVE_BYTES)) {
      const { shrinkPhoto } = await fetchShrink();
      // One after the other: several pictures at once may be too much for a phone.
      files = [];
      for (const file of chosen) files.push(await shrinkPhoto(file, SHRINK_ABOVE_BYTES));
      // Something else was chosen meanwhile.
      if (control.files?.length !== chosen.length || control.files[0] !== chosen[0]) return;
      const list = new DataTransfer();
      for (const file of files) list.items.add(file);
      control.files = list.files;
    }
    if (onChoose?.(files) === false) control.value = '';
  }

  return (
    <FileField
      accept={PHOTO_TYPES.join(',')}
      error={error}
      hint={hasHint ? t('parent.files', limitsInTexts) : undefined}
      key={last.turn}
      label={t('labels.parentIdPhotos')}
      multiple
      name="parentIdPhotos"
      // Where it cannot be made smaller, it is sent as it is.
      onChange={(event) => void onChange(event).catch(() => onChoose?.([]))}
    />
  );
}
