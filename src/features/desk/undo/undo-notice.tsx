import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Form, useLocation } from 'react-router';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { areKeysOn, isDeskKey } from '../frame/keys.ts';
import { listQuery } from '../frame/list-address.tsx';
import type { UndoableDecision } from './undoable-store.server.ts';

const STEP_MS = 250;

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
  return (
    // Always there, so that screen readers announce what comes into it.
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
  const { search } = useLocation();
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
        <p className="font-semibold wrap-anywhere text-cream" role="status">
          {t(`undo.done.${kind}`, { name })}
        </p>
        {/* Outside of what is announced, because it changes every second. */}
        <p className="text-fine">{t('undo.left', { count: Math.ceil(left / 1000) })}</p>
      </div>
      <button
        aria-keyshortcuts="U"
        className="min-h-11 rounded-field px-3 font-semibold text-cream underline decoration-1 underline-offset-(--underline)"
        ref={newest}
      >
        {t('undo.button')}
        <span className="sr-only">: {name}</span> {newest ? <kbd aria-hidden>U</kbd> : null}
      </button>
    </Form>
  );
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
