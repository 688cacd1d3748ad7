import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button } from '~/ui/button.tsx';
import type { DraftFile } from '~/features/form/draft/draft-content.ts';
import { REMOVE_PHOTO } from '../rules/photo-rules.ts';

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
