import { formatDateShort, parseDate } from '~/base/dates/dates.ts';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { Detail } from '../records/detail.server.ts';

type Zone = NonNullable<NonNullable<Detail['visa']>['zone']>;

/**
 * The typed answers beside what the traveller's device read from the passport, each marked in words as a match, a
 * difference or not read. The photo itself never leaves the device.
 */
export function ZoneFacts({ zone }: { zone: Zone }) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const shown = (value: string) => {
    const day = parseDate(value);
    return day ? formatDateShort(day, language) : <bdi dir="ltr">{value}</bdi>;
  };
  return (
    <section className="desk-facts">
      <h3>{t('detail.zone.title')}</h3>
      <table className="desk-zone">
        <thead>
          <tr>
            <th scope="col">{t('detail.zone.field')}</th>
            <th scope="col">{t('detail.zone.typed')}</th>
            <th scope="col">{t('detail.zone.read')}</th>
          </tr>
        </thead>
        <tbody>
          {zone.rows.map(({ field, typed, read, differs }) => (
            <tr key={field}>
              <th scope="row">{t(`visa:labels.${field}`)}</th>
              <td>{shown(typed)}</td>
              <td>
                {read === '' ? null : shown(read)} <Mark differs={differs} isRead={read !== ''} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {zone.areNamesCut ? <p>{t('detail.zone.cut')}</p> : null}
    </section>
  );
}

function Mark({ differs, isRead }: { differs: boolean; isRead: boolean }) {
  const { t } = useTranslation('desk');
  if (!isRead) return <StatusTag tone="neutral">{t('detail.zone.notRead')}</StatusTag>;
  return differs ? (
    <StatusTag icon="alert" tone="amber">
      {t('detail.zone.differs')}
    </StatusTag>
  ) : (
    <StatusTag icon="check" tone="green">
      {t('detail.zone.same')}
    </StatusTag>
  );
}
