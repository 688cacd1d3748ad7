import { useEffect, useEffectEvent, useMemo, useState, type ReactNode, useRef } from 'react';
import { useFetcher, useLocation, useParams, useRouteLoaderData } from 'react-router';
import { listQuery } from '../queue/list-filter.ts';
import {
  EVENTS_PATH,
  signalNames,
  type DeskSignals,
  type SignalName,
  applyOutcome,
  NOTHING_YET,
  shownCase,
  shownGroup,
  type CasePage,
  type GroupPage,
  type LiveOutcome,
} from './live-state.ts';
import { LiveContext, useFrame, useLive, SIGN_IN_LINK } from './use-signals.tsx';
import type { OpenGroup } from '../several/open-group.server.ts';
import type { OpenQueue } from '../queue/queue.server.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';
import type { OpenCase } from '../application/open-case.server.ts';
import { flushSync } from 'react-dom';

/** What is announced to screen readers; texts: `live:said.<kind>`. */
type News =
  | { kind: 'taken'; name: string }
  | { kind: 'status'; status: ApplicationStatus }
  | { kind: 'emails' | 'refunds' | 'case' | 'group' }
  | { kind: 'signal'; of: SignalName; count: number };

/** The most important change of an application between two states; null for none. */
export function caseNews(before: OpenCase, now: OpenCase): News | null {
  if (before.mark === now.mark) return null;
  const [had, has] = [before.holder?.name ?? null, now.holder?.name ?? null];
  if (has !== null && has !== had) return { kind: 'taken', name: has };
  const { status } = now.application;
  if (status !== before.application.status) return { kind: 'status', status };
  const differs = (of: (one: OpenCase) => unknown) =>
    JSON.stringify(of(before)) !== JSON.stringify(of(now));
  if (differs(refundStates)) return { kind: 'refunds' };
  if (differs(({ caseFile }) => caseFile.emails)) return { kind: 'emails' };
  return has === had ? { kind: 'case' } : null;
}

const refundStates = ({ caseFile }: OpenCase) =>
  caseFile.refunds.map(({ id, state }) => [id, state]);

/** The counts that have grown. */
export const signalNews = (before: DeskSignals, now: DeskSignals): News[] =>
  signalNames.flatMap((of) =>
    now[of] > before[of] ? [{ kind: 'signal' as const, of, count: now[of] }] : [],
  );

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
  const frame = useFrame();
  const page = useRouteLoaderData<CasePage>('features/desk/application/application');
  const hasQueue = /\/admin(\/applications\/[^/]+)?$/.test(pathname);
  const shown = page ? shownCase(page, state.opened) : null;
  const orderPage = useRouteLoaderData<GroupPage>('features/desk/money/order');
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
    const next = applyOutcome(state, outcome, {
      list: search,
      inForms: isInForms(panel),
      focusedRow: row?.dataset.number ?? null,
    });
    setState(next);
    if (outcome.kind !== 'answer') return;
    const { signals, opened } = outcome.answer;
    const had = state.signals ?? frame?.signals ?? null;
    const ofCase =
      shown && opened && isOf(shown.latest, opened) ? caseNews(shown.latest, opened) : null;
    const ofGroup = group && outcome.answer.group ? [{ kind: 'group' as const }] : [];
    const latestNews = [
      ...(ofCase ? [ofCase] : []),
      ...ofGroup,
      ...(had ? signalNews(had, signals) : []),
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
    <LiveContext value={live}>
      {children}
      <LiveNews news={news} />
    </LiveContext>
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

/**
 * Whether somebody is filling in a form inside the element: it has the focus, changed entries or a chosen file, or a
 * dialog is open.
 */
function isInForms(within: HTMLElement | null): boolean {
  if (!within) return false;
  if (within.querySelector('dialog[open]')) return true;
  if (document.activeElement?.closest('form') && within.contains(document.activeElement)) {
    return true;
  }
  return [...within.querySelectorAll('input, textarea, select')].some(isChanged);
}

function isChanged(control: Element): boolean {
  if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue;
  if (control instanceof HTMLSelectElement) {
    const first = [...control.options].findIndex(({ defaultSelected }) => defaultSelected);
    return control.selectedIndex !== Math.max(first, 0);
  }
  if (!(control instanceof HTMLInputElement)) return false;
  if (control.type === 'file') return (control.files?.length ?? 0) > 0;
  if (control.type === 'checkbox' || control.type === 'radio') {
    return control.checked !== control.defaultChecked;
  }
  // A file that was uploaded before is named by a hidden field.
  if (control.type === 'hidden') return control.name === 'fileId' && control.value !== '';
  return control.value !== control.defaultValue;
}

/**
 * Keeps what is typed where the page knows that the session has ended: a form is not sent, because the answer would be the
 * sign-in page in place of this one. `onOut`: the session has ended; `again`: looks whether the reader has signed in
 * elsewhere.
 */
function useSessionGuard({
  isOn,
  isOut,
  onOut,
  again,
}: {
  isOn: boolean;
  isOut: boolean;
  onOut: () => void;
  again: () => void;
}): void {
  const asked = useRef<HTMLFormElement | null>(null);
  const hold = useEffectEvent((event: SubmitEvent) => {
    const { target: form, submitter } = event;
    if (!isOn || !(form instanceof HTMLFormElement) || form.method !== 'post') return;
    if (asked.current === form) {
      asked.current = null;
      return;
    }
    if (!isOut) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void ask(form, submitter);
  });
  async function ask(form: HTMLFormElement, submitter: HTMLElement | null) {
    if (await isSignedIn()) {
      asked.current = form;
      form.requestSubmit(submitter);
      return;
    }
    flushSync(onOut);
    const shown = document.querySelector('dialog:modal') ?? document;
    shown.querySelector<HTMLElement>(`[${SIGN_IN_LINK}]`)?.focus();
  }
  useEffect(() => {
    const submit = (event: SubmitEvent) => hold(event);
    // On the window, before all other listeners.
    addEventListener('submit', submit, true);
    return () => removeEventListener('submit', submit, true);
  }, []);
  const look = useEffectEvent(() => {
    if (isOut && document.visibilityState === 'visible') again();
  });
  useEffect(() => {
    const seen = () => look();
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, []);
}

/** Whether the service still knows the session; also where it does not answer, which the form itself will tell. */
async function isSignedIn(): Promise<boolean> {
  const aborting = new AbortController();
  try {
    const { status } = await fetch(EVENTS_PATH, { signal: aborting.signal });
    return status !== 401;
  } catch {
    return true;
  } finally {
    // The stream of events itself is not wanted.
    aborting.abort();
  }
}

/** Milliseconds between two requests of a page that hears nothing: the browser or a proxy lets no stream through. */
const ALONE_MS = 60_000;
/** Of one that hears: for what changes by time alone, such as a claim that lapses. */
const BESIDE_MS = 300_000;
/** At least so long between two requests, however much changes. */
const MIN_PAUSE_MS = 1000;

/**
 * Calls `ask` when the service tells that something changed, and from time to time where it cannot. Only a page in sight
 * listens: browsers allow few streams at once, and each page that comes back is told what it missed. `since`: the moment
 * of what the page shows, in milliseconds since 1970. Returns how to stop. For browsers.
 */
function watchChanges({ since, ask }: { since: () => number; ask: () => void }): () => void {
  let stream: EventSource | null = null;
  let askedAt = performance.now();
  let soon: ReturnType<typeof setTimeout> | undefined;

  const isSeen = () => document.visibilityState === 'visible';

  function askNow() {
    clearTimeout(soon);
    soon = undefined;
    askedAt = performance.now();
    ask();
  }

  function askSoon() {
    const wait = Math.max(0, MIN_PAUSE_MS - (performance.now() - askedAt));
    soon ??= setTimeout(askNow, wait);
  }

  function listen() {
    // A stream that was refused is closed; one that was lost connects again by itself.
    if (stream && stream.readyState !== EventSource.CLOSED) return;
    stream = new EventSource(`${EVENTS_PATH}?since=${since()}`);
    stream.addEventListener('changed', askSoon);
    // The answer to the request says why.
    stream.addEventListener('ended', () => {
      stop();
      askNow();
    });
  }

  function stop() {
    stream?.close();
    stream = null;
  }

  const look = () => (isSeen() ? listen() : stop());
  const timer = setInterval(() => {
    if (!isSeen()) return;
    const isHearing = stream?.readyState === EventSource.OPEN;
    const wait = isHearing ? BESIDE_MS : ALONE_MS;
    // The timer is a little early now and then.
    if (performance.now() - askedAt >= wait - MIN_PAUSE_MS) askNow();
    listen();
  }, ALONE_MS);
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    stop();
    clearTimeout(soon);
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
