import { useRef, useState, type ChangeEvent } from 'react';
import { Button } from '~/ui/button.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';

/** Takes a photo, or one from the device. Its control has no name: a form sends nothing of it. */
export function PhotoButtons({ read }: { read: (photo: File) => Promise<void> }) {
  const { t } = useTranslation('visa');
  const [isReading, setIsReading] = useState(false);
  const camera = useRef<HTMLInputElement>(null);
  const album = useRef<HTMLInputElement>(null);

  function onChosen({ target }: ChangeEvent<HTMLInputElement>) {
    const [photo] = target.files ?? [];
    // The same photo can be chosen again.
    target.value = '';
    if (!photo) return;
    setIsReading(true);
    void read(photo).finally(() => setIsReading(false));
  }

  return (
    <div className="grid gap-3 justify-items-start noscript:hidden">
      <p className="text-small text-ink-2">{t('reader.photo.private')}</p>
      <div className="flex flex-wrap gap-3">
        <Button
          busy={isReading}
          className="not-pointer-coarse:hidden"
          look="secondary"
          onClick={() => camera.current?.click()}
          small
          type="button"
        >
          {t('reader.photo.take')}
        </Button>
        <Button
          busy={isReading}
          look="secondary"
          onClick={() => album.current?.click()}
          small
          type="button"
        >
          {t('reader.photo.choose')}
        </Button>
      </div>
      <p className="text-small text-ink-2" role="status">
        {isReading ? t('reader.photo.reading') : null}
      </p>
      <input
        accept="image/*"
        aria-label={t('reader.photo.take')}
        capture="environment"
        hidden
        onChange={onChosen}
        ref={camera}
        type="file"
      />
      <input
        accept="image/*"
        aria-label={t('reader.photo.choose')}
        hidden
        onChange={onChosen}
        ref={album}
        type="file"
      />
    </div>
  );
}
