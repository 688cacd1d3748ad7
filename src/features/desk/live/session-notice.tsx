import { useEffect, useEffectEvent, useRef } from 'react';
import { useRevalidator, useRouteLoaderData } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { useAnnounce } from '../frame/announcer.tsx';
import type { FrameData } from '../navigation/signals.ts';
import { useUpdates } from '../navigation/use-signals.tsx';

/** So long before the end of a session its owner is warned (WCAG 2.2, 2.2.1 asks for 20 seconds). */
const WARNING_MS = 3 * 60_000;

/** After its end the session is looked for again, so that the page says that it is over. */
const AFTER_MS = 1000;

/** Warns before the session ends, and lets its owner go on. What other pages of theirs open extends it too. */
export function SessionNotice() {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const announce = useAnnounce();
  const { revalidate, state } = useRevalidator();
  const { end, now } = useSessionEnd();
  const { problem, again } = useUpdates();
  const cameFrom = useRef<Element | null>(null);
  const endsAt = end?.at ?? null;
  const isNear = endsAt !== null && endsAt - now <= WARNING_MS;

  const look = useEffectEvent(() => again());
  useEffect(() => {
    if (endsAt === null) return undefined;
    const left = endsAt - now;
    // The service is asked both times: another page may have extended it, and then its answer begins this anew.
    const timer = setTimeout(
      () => look(),
      left <= WARNING_MS ? left + AFTER_MS : left - WARNING_MS,
    );
    return () => clearTimeout(timer);
  }, [endsAt, now]);

  const text =
    end && isNear && problem === null
      ? t(end.isFinal ? 'session.final' : 'session.ends', {
          moment: formatMoment(new Date(end.at), language, UTC, 'time'),
        })
      : null;
  useEffect(() => {
    if (text) announce(text);
  }, [text, announce]);

  if (!end || text === null) return null;
  return (
    <section
      aria-labelledby="session-ends"
      className="flex max-w-105 flex-[1_1_320px] flex-wrap items-center gap-x-4 gap-y-1 rounded-[12px] bg-amber-ground px-4 py-2 text-amber-notice forced-colors:border"
      data-testid="session-ends"
    >
      <p className="min-w-0 flex-[1_1_180px] font-semibold" id="session-ends">
        {text}
      </p>
      {end.isFinal ? null : (
        <button
          className="min-h-11 font-semibold underline decoration-1 underline-offset-(--underline)"
          disabled={state !== 'idle'}
          onClick={() => void stay()}
          onFocus={({ relatedTarget }) => {
            cameFrom.current = relatedTarget;
          }}
          type="button"
        >
          {t('session.stay')}
        </button>
      )}
    </section>
  );

  async function stay() {
    await revalidate();
    announce(t('session.stayed'));
    const back = cameFrom.current;
    const place = back instanceof HTMLElement && back.isConnected ? back : null;
    (place ?? document.getElementById('main'))?.focus({ preventScroll: true });
  }
}

/** When the session ends, by what the page or a later answer says, and the service's moment at which it said so. */
function useSessionEnd() {
  const frame = useRouteLoaderData<FrameData>('features/desk/desk-layout');
  const { at, sessionEnd } = useUpdates();
  if (frame && sessionEnd && at > frame.now) return { end: sessionEnd, now: at };
  return { end: frame?.sessionEnd ?? null, now: frame?.now ?? 0 };
}
