import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { Notice } from '~/ui/notice.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { useSignals } from '../navigation/use-signals.tsx';

/** On every page of the desk: a payment provider that is down. */
export function PartnerBanner() {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const { partnersDown, maySeePayments } = useSignals();
  return partnersDown.map(({ provider, since }) => (
    <Notice
      className="mb-4"
      key={provider}
      title={t('down.title', { partner: t(`provider.${provider}`, provider) })}
      tone="red"
    >
      <p data-testid="partner-down">
        {t('down.text', { moment: formatMoment(since, language, UTC, 'dated') })}{' '}
        {maySeePayments ? <Link to="/admin/payments">{t('down.link')}</Link> : null}
      </p>
    </Notice>
  ));
}

/** On every page of the desk: travellers wait for the PDF of an approved application longer than promised. */
export function UndeliveredBanner() {
  const { t } = useTranslation('desk');
  const { undeliveredLate } = useSignals();
  if (undeliveredLate === 0) return null;
  return (
    <Notice className="mb-4" tone="red">
      <p data-testid="undelivered-late">
        {t('undelivered.late', { count: undeliveredLate })}{' '}
        <Link to="/admin?show=undelivered">{t('undelivered.show')}</Link>
      </p>
    </Notice>
  );
}
