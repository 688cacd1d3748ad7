import { formatMoney } from '~/base/money.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { useDeadlines } from '~/ui/moment.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { CancelNow } from './cancel-view.server.ts';

/**
 * Leads to the page that cancels. Everybody with the number sees the link; only the payer's browser can cancel there, and
 * sees here what that pays back. `number`: of an application, or of an order.
 */
export function CancelLink({ number, now = null }: { number: string; now?: CancelNow | null }) {
  const { t } = useTranslation('application');
  return (
    <div className="print:hidden">
      <ButtonLink look="plain" to={`/status/cancel?${new URLSearchParams({ ref: number })}`}>
        {t(now?.total.minor === 0 ? 'cancel.linkOnly' : 'cancel.link')}
      </ButtonLink>
      {now ? <NowText now={now} /> : null}
    </div>
  );
}

function NowText({ now: { total, holdsUntil, isWhilePending } }: { now: CancelNow }) {
  const { t } = useTranslation('application');
  const deadline = useDeadlines();
  const language = useLanguage();
  return (
    <p className="text-small text-ink-2" data-testid="cancel-now">
      {total.minor === 0
        ? t('cancel.nothing')
        : t('cancel.now', { amount: formatMoney(total, language) })}{' '}
      {holdsUntil
        ? t(isWhilePending ? 'cancel.untilPending' : 'cancel.until', {
            moment: deadline(holdsUntil, 'long'),
          })
        : null}
    </p>
  );
}
