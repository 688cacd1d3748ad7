import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { Notice } from '~/ui/notice.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { useUpdates } from '../navigation/use-signals.tsx';

/** Says that the page is no longer kept up to date, and why. */
export function LiveNotice() {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const { at, problem, again } = useUpdates();
  if (problem === null) return null;
  const moment = at === 0 ? null : formatMoment(new Date(at), language, UTC, 'time');
  return (
    <Notice className="mb-4" role="status" title={t(`live.${problem}.title`)} tone="amber">
      <p data-testid="live-problem">
        {moment === null ? null : `${t('live.asOf', { moment })} `}
        {t(`live.${problem}.text`)}
      </p>
      <p>
        {problem === 'signed_out' ? (
          <>
            {/* In a new tab, so that what is typed here stays. */}
            <a href="/admin" rel="noopener" target="_blank">
              {t('live.signIn')}
            </a>{' '}
          </>
        ) : null}
        <button className="link-button" onClick={again} type="button">
          {t('live.again')}
        </button>
      </p>
    </Notice>
  );
}
