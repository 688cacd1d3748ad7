import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react';
import { useFetcher, useLocation, useParams, useRouteLoaderData } from 'react-router';
import { listQuery } from '../frame/list-address.tsx';
import type { FrameData } from '../navigation/signals.ts';
import { UpdatesContext } from '../navigation/use-signals.tsx';
import { isInForms } from './engaged.ts';
import {
  afterOutcome,
  NOTHING_YET,
  shownCase,
  shownGroup,
  type CasePage,
  type GroupPage,
  type LiveOutcome,
} from './live-state.ts';
import { newsOfCase, newsOfSignals, type News } from './news.ts';
import type { OpenGroup } from '../group/open-group.server.ts';
import type { OpenQueue } from '../list/open-queue.server.ts';
import { LiveContext, useLive } from './use-live.tsx';
import { useSessionGuard } from './session-guard.tsx';
import { watchChanges } from './watch-changes.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';

/**
 * Keeps an open page of the desk up to date: the queue, the open application, the counts. It asks when it hears of a
 * change and only while the page is visible, stops when the session ends or after failures, and does not extend the
 * session.
 */
export function LiveDesk({ isOn, children }: { isOn: boolean; children: ReactNode }) {
  const [state, setState] = useState(NOTHING_YET);
  const [news, setNews] = useState<readonly News[]>([]);
  const [restarts, setRestarts] = useState(0);
  const { load, data } = useFetcher<LiveOutcome>();
  const { number } = useParams();
  const { pathname, search } = useLocation();
  const frame = useRouteLoaderData<FrameData>('features/desk/desk-layout');
  const page = useRouteLoaderData<CasePage>('features/desk/case/pages/application');
  const hasQueue = /\/admin(\/applications\/[^/]+)?$/.test(pathname);
  const shown = page ? shownCase(page, state.opened) : null;
  const orderPage = useRouteLoaderData<GroupPage>('features/desk/orders/pages/order');
  const group = orderPage ? shownGroup(orderPage, state.group) : null;

  const ask = useEffectEvent(() => {
    const query = new URLSearchParams(hasQueue ? listQuery(search) : '');
    query.delete('none');
    if (hasQueue) query.set('queue', '');
    if (number !== undefined && shown) {
      query.set('number', number);
      query.set('mark', shown.latest.mark);
    }
    if (group) {
      query.set('order', group.value.orderNumber);
      query.set('mark', group.value.mark);
    }
    void load(`/admin/live?${query}`);
  });

  const takeIn = useEffectEvent((outcome: LiveOutcome) => {
    const panel = document.getElementById('application');
    const row = document.activeElement?.closest('.queue-link')?.closest('tr');
    const next = afterOutcome(state, outcome, {
      list: search,
      inForms: isInForms(panel),
      focusedRow: row?.dataset.number ?? null,
    });
    setState(next);
    if (outcome.kind !== 'answer') return;
    const { signals, opened } = outcome.answer;
    const had = state.signals ?? frame?.signals ?? null;
    const ofCase =
      shown && opened && isOf(shown.latest, opened) ? newsOfCase(shown.latest, opened) : null;
    const ofGroup = group && outcome.answer.group ? [{ kind: 'group' as const }] : [];
    const latestNews = [
      ...(ofCase ? [ofCase] : []),
      ...ofGroup,
      ...(had ? newsOfSignals(had, signals) : []),
    ];
    if (latestNews.length > 0) setNews(latestNews);
  });

  useEffect(() => {
    if (data) takeIn(data);
  }, [data]);

  const known = useEffectEvent(() => Math.max(state.at, frame?.now ?? 0));

  const isAsking = isOn && state.problem === null;
  useEffect(() => {
    if (!isAsking) return undefined;
    if (restarts > 0) ask();
    return watchChanges({ since: () => known(), ask: () => ask() });
  }, [isAsking, restarts]);

  useSessionGuard({
    isOn,
    isOut: state.problem === 'signed_out',
    onOut: () => setState((before) => ({ ...before, problem: 'signed_out' })),
    again: () => ask(),
  });

  const live = useMemo(
    () => ({
      ...state,
      again: () => {
        setState((before) => ({ ...before, problem: null, failures: 0 }));
        setRestarts((before) => before + 1);
      },
    }),
    [state],
  );
  return (
    <UpdatesContext value={live}>
      <LiveContext value={state}>
        {children}
        <LiveNews news={news} />
      </LiveContext>
    </UpdatesContext>
  );
}

const isOf = (one: OpenCaseLike, other: OpenCaseLike) =>
  one.application.number === other.application.number;
type OpenCaseLike = { application: { number: string } };

/** The queue as it is now: what the page loaded, or what came since for the same list. */
export function useLiveQueue(page: OpenQueue & { now: number }): OpenQueue & { now: number } {
  const { queue } = useLive();
  const { search } = useLocation();
  if (queue === null || queue.list !== search || queue.at <= page.now) return page;
  return { ...queue.value, now: queue.at };
}

/** The travellers of an order as they are now: what the page loaded, or what came since. */
export function useLiveGroup(page: GroupPage): { value: OpenGroup; at: number } | null {
  return shownGroup(page, useLive().group);
}

/** Announces changes of the page to screen readers. */
function LiveNews({ news }: { news: readonly News[] }) {
  const { t } = useTranslation('desk');
  const sentences = news.map((one) => {
    if (one.kind === 'taken') return t('live.news.taken', { name: one.name });
    if (one.kind === 'status') {
      return t('live.news.status', { status: t(`status.${one.status}`) });
    }
    if (one.kind === 'signal') return t(`nav.signal.${one.of}`, { count: one.count });
    return t(`live.news.${one.kind}`);
  });
  return (
    <p className="sr-only" data-testid="live-news" role="status">
      {sentences.join(' ')}
    </p>
  );
}
