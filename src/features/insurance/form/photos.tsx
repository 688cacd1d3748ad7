import { useState, type ChangeEvent, type ReactNode } from 'react';
import { MAX_PHOTO_BYTES, limitsInTexts } from '~/features/form/answers/limits.ts';
import { FileField } from '~/ui/fields/file-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { PHOTO_TYPES, REMOVE_PHOTO } from '../rules/parent-id-photos.ts';
import { Button } from '~/ui/button.tsx';
import type { DraftFile } from '~/features/form/draft/draft-content.ts';

/** A larger photo is made smaller in the browser before it is sent. */
const SHRINK_ABOVE_BYTES = MAX_PHOTO_BYTES / 2;

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

/** The photos that have arrived, each with a button that removes it, unless an application has it already. */
export function PhotoList({
  photos,
  sourceOf,
}: {
  photos: readonly DraftFile[];
  /** The address of a photo's picture; without it only names are shown. */
  sourceOf?: (id: string) => string;
}) {
  const { t } = useTranslation('insurance');
  if (photos.length === 0) return null;
  return (
    <div>
      <p className="font-semibold">{t('parent.kept')}</p>
      <ul className="mt-2 grid gap-2">
        {photos.map(({ id, name, size, isStored }) => (
          <li className="flex flex-wrap items-center gap-x-4 gap-y-1" key={id}>
            {sourceOf ? (
              <img
                alt={t('parent.preview', { name })}
                className="h-16 w-24 rounded border border-line object-cover"
                height={64}
                src={sourceOf(id)}
                width={96}
              />
            ) : null}
            <bdi className="wrap-anywhere">{name}</bdi>
            <span className="text-small text-ink-2">
              {t('parent.size', { size: Math.ceil(size / 1024) })}
            </span>
            {isStored ? null : (
              <Button
                formNoValidate
                look="plain"
                name="intent"
                small
                value={`${REMOVE_PHOTO}${id}`}
              >
                {t('parent.remove', { name })}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
