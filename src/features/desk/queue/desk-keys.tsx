import { useLayoutEffect, useState, useSyncExternalStore, Fragment } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button } from '~/ui/button.tsx';
import { Dialog } from '~/ui/dialog.tsx';
import {
  areShortcutsOn,
  isDeskKey,
  subscribeToShortcuts,
  setShortcuts,
} from '../frame/opening.tsx';

/** The element of each key; `null` where there is none. The search box, on every page, has its own handler. */
const targets: Record<string, () => HTMLElement | null> = {
  j: () => neighbour(1),
  k: () => neighbour(-1),
  a: () => document.getElementById('approve'),
  r: () => document.getElementById('reject'),
  n: () => document.getElementById('next'),
  d: () => document.getElementById('document'),
  c: firstToCorrect,
  // The focus alone: a letter sends nothing.
  s: () => document.querySelector<HTMLElement>('[form="hand-in"]'),
  '?': () => document.getElementById('keys-help'),
};

/** Opens the form that asks for a correction; its first field. */
function firstToCorrect(): HTMLElement | null {
  const form = document.querySelector<HTMLDetailsElement>('#correction');
  if (form) form.open = true;
  return form?.querySelector<HTMLElement>('input[type="checkbox"]') ?? null;
}

/** The row after or before the focused one; otherwise the open one, or the first. */
function neighbour(step: 1 | -1): HTMLElement | null {
  const links = [...document.querySelectorAll<HTMLElement>('.queue-link')];
  const focused = links.findIndex((link) => link === document.activeElement);
  const from = focused >= 0 ? focused : links.findIndex((link) => link.ariaCurrent === 'page');
  return links[from < 0 ? 0 : Math.min(Math.max(from + step, 0), links.length - 1)] ?? null;
}

/** Keys that press their element; the others move the focus there. */
const pressed = ['approve', 'reject', 'next', 'document', 'keys-help'];

const KEYS = 'hidden wide:flex wide:flex-wrap wide:items-center wide:gap-x-5 wide:gap-y-1';

/** The desk's keyboard shortcuts, listed below the queue with a switch that turns them off (WCAG 2.2, 2.1.4). */
export function DeskKeys() {
  const { t } = useTranslation('desk');
  const on = useSyncExternalStore<boolean | null>(subscribeToShortcuts, areShortcutsOn, () => null);
  // A layout effect, so that shortcuts work as soon as they are shown.
  useLayoutEffect(() => {
    if (!on) return undefined;
    const press = (event: KeyboardEvent) => {
      if (!isDeskKey(event)) return;
      const target = targets[event.key.toLowerCase()]?.();
      if (!target) return;
      event.preventDefault();
      target.focus();
      if (pressed.includes(target.id)) target.click();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [on]);

  // Without scripts there are no shortcuts to list.
  if (on === null) return <div className={KEYS} />;
  return (
    <div aria-label={t('keys.label')} className={KEYS} role="group">
      {on ? (
        <>
          {first.map(([keys, does]) => (
            <span key={does}>
              {keys.map((key) => (
                <Fragment key={key}>
                  <kbd>{key}</kbd>{' '}
                </Fragment>
              ))}
              {t(`keys.${does}`)}
            </span>
          ))}
          <KeysHelp />
        </>
      ) : null}
      <button className="link-button" onClick={() => setShortcuts(!on)} type="button">
        {on ? t('keys.turnOff') : t('keys.turnOn')}
      </button>
    </div>
  );
}

/** Those that are listed without a press. */
const first = [
  [['J', 'K'], 'move'],
  [['↵'], 'open'],
  [['A'], 'approve'],
  [['R'], 'reject'],
  [['N'], 'next'],
] as const;

const listed = [
  ['J', 'down'],
  ['K', 'up'],
  ['↵', 'open'],
  ['N', 'next'],
  ['A', 'approve'],
  ['R', 'reject'],
  ['D', 'document'],
  ['C', 'correction'],
  ['S', 'start'],
  ['Ctrl ↵', 'send'],
  ['U', 'undo'],
  ['/', 'search'],
  ['Esc', 'close'],
  ['?', 'help'],
] as const;

/** A list of all shortcuts, on `?`. */
function KeysHelp() {
  const { t } = useTranslation('desk');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        className="link-button inline-flex items-center gap-1 no-underline"
        id="keys-help"
        onClick={() => setOpen(true)}
        type="button"
      >
        <kbd>?</kbd>
        <span className="underline decoration-1 underline-offset-(--underline)">
          {t('keys.help')}
        </span>
      </button>
      {isOpen ? (
        <Dialog
          actions={
            <Button onClick={() => setOpen(false)} small type="button">
              {t('keys.close')}
            </Button>
          }
          id="keys"
          onClose={() => (document.querySelector('#keys:modal') ? undefined : setOpen(false))}
          title={t('keys.label')}
        >
          <dl className="grid gap-2 *:grid *:grid-cols-[72px_1fr]">
            {listed.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{t(`keys.does.${does}`)}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      ) : null}
    </>
  );
}
