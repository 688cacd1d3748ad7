import { createContext, use } from 'react';
import { useRouteLoaderData } from 'react-router';
import { NOTHING_YET, type LiveState, type DeskSignals, type FrameData } from './live-state.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { Notice } from '~/ui/notice.tsx';

/** What came since the page was rendered. `again`: asks at once, and goes on after a problem. */
type LiveSignals = LiveState & { again: () => void };

export const LiveContext = createContext<LiveSignals>({ ...NOTHING_YET, again: () => undefined });

/** Empty before scripts run. */
export const useLive = (): LiveSignals => use(LiveContext);

const NONE: DeskSignals = {
  forYou: 0,
  corrections: 0,
  undelivered: 0,
  undeliveredLate: 0,
  refunds: 0,
  alerts: 0,
  looks: 0,
  proposals: 0,
  requests: 0,
  partnersDown: [],
  maySeePayments: false,
  yearWithoutFeasts: null,
};

/** What every page of the desk loads; undefined where that failed. */
export const useFrame = (): FrameData | undefined =>
  useRouteLoaderData<FrameData>('features/desk/desk-layout');

/** The query of the list that the reader's queue begins with; '' for the whole list. */
export const useStart = (): string => useFrame()?.start ?? '';

/** The reader's counts and notices; empty where the frame failed to load. */
export function useSignals(): DeskSignals {
  const frame = useFrame();
  const { at, signals } = useLive();
  if (signals && frame && at > frame.now) return signals;
  return frame?.signals ?? NONE;
}

/** On the link by which somebody whose session has ended signs in again. */
export const SIGN_IN_LINK = 'data-sign-in-again';

/** Says that the page is no longer kept up to date, and why. */
export function LiveNotice() {
  const { t, language } = useTranslation('desk');
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
