import { useTranslation } from '~/ui/texts/texts.tsx';

/** The copy of everything, after the identity check. */
export function ExportSection({ id }: { id: string }) {
  const { t } = useTranslation('privacy');
  return (
    <section>
      <h2>{t('export.title')}</h2>
      <p>{t('export.text')}</p>
      <p>
        {/* A file: the desk's router must not load it as a page. */}
        <a
          className="inline-flex min-h-11 items-center"
          download
          href={`/admin/privacy/${id}/export`}
        >
          {t('export.link')}
        </a>
      </p>
    </section>
  );
}

/** Where data is corrected. */
export function CorrectionSection() {
  const { t } = useTranslation('privacy');
  return (
    <section>
      <h2>{t('correction.title')}</h2>
      <p>{t('correction.text')}</p>
    </section>
  );
}
