import { useTranslation } from 'react-i18next';
import { Notice } from '~/ui/notice.tsx';
import type { CoverView } from '../form-view.ts';

/** What the plans cover, as the operator has published it. */
export function CoverTable({ cover }: { cover: CoverView }) {
  const { t } = useTranslation('insurance');
  return (
    <section className="form-group">
      <h2 className="heading-form">{t('terms.title')}</h2>
      {cover.insurer ? (
        <p className="form-group-hint">{t('terms.insurer', { insurer: cover.insurer })}</p>
      ) : null}
      <table className="mt-4 w-full border-collapse">
        <thead>
          <tr className="border-b border-ink small text-ink-2">
            <th className="py-2 text-start font-semibold" scope="col">
              {t('terms.cover')}
            </th>
            <th className="py-2 text-end font-semibold" scope="col">
              {t('terms.limit')}
            </th>
          </tr>
        </thead>
        <tbody>
          {cover.lines.map(({ code, title, limit }) => (
            <tr className="border-b border-line" key={code}>
              <td className="py-3 pe-4">{title}</td>
              <td className="py-3 text-end">{limit}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {cover.isSample ? (
        <Notice className="mt-5" title={t('terms.sampleTitle')} tone="amber">
          <p>{t('terms.sample')}</p>
        </Notice>
      ) : null}
    </section>
  );
}
