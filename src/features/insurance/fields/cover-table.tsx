import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { CoverView } from '../form-view.ts';

/** What the plans cover, up to which sums, by whom, and a link to the very version of the terms. */
export function CoverTable({ cover, isLinked = true }: { cover: CoverView; isLinked?: boolean }) {
  const { t } = useTranslation('insurance');
  const { insurer, address, licence, assistancePhone, complaintContact, version } = cover;
  const by = [insurer, address, licence].filter(Boolean).join(', ');
  return (
    <section className="form-group">
      <h2 className="heading-form">{t('terms.title')}</h2>
      {by ? <p className="form-group-hint">{t('terms.insurer', { insurer: by })}</p> : null}
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
      {assistancePhone ? (
        <p className="mt-4">
          {t('terms.assistance')} <bdi dir="ltr">{assistancePhone}</bdi>
        </p>
      ) : null}
      {complaintContact ? (
        <p>
          {t('terms.complaints')} <bdi>{complaintContact}</bdi>
        </p>
      ) : null}
      {isLinked && version !== null ? (
        <p className="mt-4">
          <Link
            className="inline-flex min-h-11 items-center"
            reloadDocument
            target="_blank"
            to={`/insurance/terms/${version}`}
          >
            {t('terms.link')}
          </Link>
        </p>
      ) : null}
    </section>
  );
}
