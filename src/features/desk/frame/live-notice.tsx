import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { Notice } from '~/ui/notice.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { useLive } from './use-signals.tsx';

/** On the link by which somebody whose session has ended signs in again. */
export const SIGN_IN_LINK = 'data-sign-in-again';

/** Says that the page is no longer kept up to date, and why. */
export function LiveNotice() {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const { at, problem, again } = useLive();
  // It stands from the start, so that screen readers hear what comes into it.
  if (problem === null) return <div role="status" />;
  const moment = at === 0 ? null : formatMoment(new Date(at), language, UTC, 'time');
  return (
    <div role="status">
      <Notice className="mb-4" title={t(`live.${problem}.title`)} tone="amber">
        <p data-testid="live-problem">
          {moment === null ? null : `${t('live.asOf', { moment })} `}
          {t(`live.${problem}.text`)}
        </p>
        <p className="flex flex-wrap gap-x-4">
          {problem === 'signed_out' ? (
            // In a new tab, so that what is typed here stays.
            <a {...{ [SIGN_IN_LINK]: '' }} href="/admin" rel="noopener" target="_blank">
              {t('live.signIn')}
            </a>
          ) : null}
          <button className="link-button" onClick={again} type="button">
            {t('live.again')}
          </button>
        </p>
      </Notice>
    </div>
  );
}
