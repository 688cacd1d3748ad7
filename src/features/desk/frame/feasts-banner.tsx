import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useSignals } from '../navigation/use-signals.tsx';

/**
 * On every page of the desk, for those who may close days: a year whose religious holidays this release does not know.
 */
export function FeastsBanner() {
  const { t } = useTranslation('settings');
  const { yearWithoutFeasts } = useSignals();
  if (yearWithoutFeasts === null) return null;
  const year = String(yearWithoutFeasts);
  return (
    <Notice className="mb-4" title={t('feastsMissing.title', { year })} tone="amber">
      <p data-testid="feasts-missing">
        {t('feastsMissing.text', { year })}{' '}
        <Link to="/admin/settings/closed-days">{t('feastsMissing.link')}</Link>
      </p>
    </Notice>
  );
}
