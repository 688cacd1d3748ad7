import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Form, useLocation } from 'react-router';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { useAnnounce } from '../frame/announcer.tsx';
import { formatSpan } from '../frame/formats.ts';
import { areKeysOn, isDeskKey } from '../frame/keys.ts';
import { listQuery } from '../frame/list-address.tsx';
import { isDocumentShown } from '../frame/use-opened-focus.tsx';
import type { UndoableDecision } from './undoable-store.server.ts';

const STEP_MS = 250;
/** Of a decision just taken the whole time is said, not what passed of it meanwhile. */
const FRESH_MS = 3000;

/**
 * One's own decisions that can still be undone, on every page of the desk, so that one can go on working: by its button,
 * or by the key U, which undoes the newest. Without scripts it says what was left when the page was made.
 */
export function UndoNotice({
  decisions,
  madeAt,
}: {
  decisions: readonly UndoableDecision[];
  madeAt: number;
}) {
  const { t } = useTranslation('desk');
  const passed = usePassed(madeAt);
  const newest = useRef<HTMLButtonElement>(null);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isDeskKey(event) || event.key.toLowerCase() !== 'u' || !areKeysOn()) return;
    if (!newest.current) return;
    event.preventDefault();
    newest.current.click();
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  const open = decisions.filter(({ left }) => left > passed);
  useDecisionAnnounced(decisions);
  return (
    <div
      aria-label={t('undo.label')}
      className="flex max-h-[40vh] flex-[1_1_auto] flex-wrap gap-2 overflow-y-auto"
      role="region"
    >
      {open.map((decision, index) => (
        <Decision
          decision={decision}
          key={decision.id}
          left={decision.left - passed}
          newest={index === 0 ? newest : null}
        />
      ))}
    </div>
  );
}

function Decision({
  decision: { id, kind, name },
  left,
  newest,
}: {
  decision: UndoableDecision;
  left: number;
  newest: React.RefObject<HTMLButtonElement | null> | null;
}) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const { search } = useLocation();
  const seconds = Math.ceil(left / 1000);
  return (
    <Form
      action="/admin/undo"
      className="flex max-w-105 flex-[1_1_320px] flex-wrap items-center gap-x-4 gap-y-1 rounded-[12px] bg-ink px-4 py-2 text-on-ink **:focus-visible:outline-ring-on-ink forced-colors:border"
      data-testid="undo"
      method="post"
      preventScrollReset
    >
      <input name="decision" type="hidden" value={id} />
      <input name="list" type="hidden" value={listQuery(search)} />
      <div className="min-w-0 flex-[1_1_180px]">
        <p className="font-semibold wrap-anywhere text-cream">{t(`undo.done.${kind}`, { name })}</p>
        <p className="text-fine">
          {seconds < MINUTE
            ? t('undo.left', { count: seconds })
            : t('undo.leftLong', {
                span: formatSpan(Math.ceil(seconds / MINUTE) * MINUTE, language),
              })}
        </p>
      </div>
      <button
        aria-keyshortcuts="U"
        className="min-h-11 rounded-field px-3 font-semibold text-cream underline decoration-1 underline-offset-(--underline)"
        ref={newest}
      >
        <span aria-hidden>{t('undo.button')}</span>
        <span className="sr-only">{t('undo.of', { name })}</span>{' '}
        {newest ? <kbd aria-hidden>U</kbd> : null}
      </button>
    </Form>
  );
}

const MINUTE = 60;

/** Says once what was just decided, and how long it can be undone; not what stood in the document from its start. */
function useDecisionAnnounced(decisions: readonly UndoableDecision[]): void {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const announce = useAnnounce();
  const said = useRef(new Set<string>());
  const [newest] = decisions;
  const say = useEffectEvent(() => {
    if (!newest) return;
    const isSaid = said.current.has(newest.id);
    for (const { id } of decisions) said.current.add(id);
    if (isSaid || !isDocumentShown()) return;
    const { age, left } = newest;
    announce(
      t(areKeysOn() ? 'undo.heard' : 'undo.heardNoKey', {
        done: t(`undo.done.${newest.kind}`, { name: newest.name }),
        span: formatSpan(Math.round((age > FRESH_MS ? left : left + age) / 1000), language),
      }),
    );
  });
  const id = newest?.id;
  useEffect(() => {
    if (id !== undefined) say();
  }, [id]);
}

/** Milliseconds since the page was made, by this browser's own clock. */
function usePassed(madeAt: number): number {
  const [clock, setClock] = useState({ madeAt, passed: 0 });
  useEffect(() => {
    const started = performance.now();
    const tick = () => setClock({ madeAt, passed: performance.now() - started });
    const timer = setInterval(tick, STEP_MS);
    return () => clearInterval(timer);
  }, [madeAt]);
  return clock.madeAt === madeAt ? clock.passed : 0;
}
