import { useLayoutEffect, useState, useSyncExternalStore, Fragment } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button } from '~/ui/button.tsx';
import { Dialog } from '~/ui/dialog.tsx';
import { caseActionNames, caseActions, COPY_KEY } from '../application/case-actions.ts';
import {
  areShortcutsOn,
  isDeskKey,
  subscribeToShortcuts,
  setShortcuts,
} from '../frame/opening.tsx';

/** The element of a key that is no action's; `null` where there is none. */
const places: Record<string, () => HTMLElement | null> = {
  J: () => neighbour(1),
  K: () => neighbour(-1),
  N: () => document.getElementById('next'),
  D: () => document.getElementById('document'),
  '?': () => document.getElementById('keys-help'),
};

const isShortcut = (key: string): boolean =>
  key === COPY_KEY || caseActionNames.some((action) => caseActions[action].key === key);

/** What has this key, in whatever it is folded into; of several the one after that which has the focus. */
function keyed(key: string): HTMLElement | null {
  if (!isShortcut(key)) return null;
  const all = [...document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${key}"]`)];
  const found = all[(all.findIndex((one) => one === document.activeElement) + 1) % all.length];
  for (let fold = found?.closest('details'); fold; fold = fold.parentElement?.closest('details'))
    fold.open = true;
  return (
    (found?.localName === 'summary' &&
      found.parentElement?.querySelector<HTMLElement>(
        'input:not([type="hidden"]), select, textarea',
      )) ||
    (found ?? null)
  );
}

/** Chooses the row in which the focus is, or leaves it out; with Shift all up to it. */
const TICK_KEY = 'I';

/** The box of the row in which the focus is, otherwise of the open one. */
const ownBox = (): Element | null =>
  (
    document.activeElement?.closest('tr') ?? document.querySelector('tr[aria-selected]')
  )?.querySelector('.queue-tick input') ?? null;

/** The row after or before the focused one; otherwise the open one, or the first. */
function neighbour(step: 1 | -1): HTMLElement | null {
  const links = [...document.querySelectorAll<HTMLElement>('.queue-link')];
  const row = document.activeElement?.closest('tr');
  const focused = links.findIndex((link) => row?.contains(link));
  const from = focused >= 0 ? focused : links.findIndex((link) => link.ariaCurrent === 'page');
  return links[from < 0 ? 0 : Math.min(Math.max(from + step, 0), links.length - 1)] ?? null;
}

/**
 * What a key presses: links, what opens a list or the choice of a file, the next application, and the preview of an
 * approval. All else is for the focus alone: a letter sends and decides nothing.
 */
const PRESSED = `a:not(.queue-link), button[type="button"], [type="file"], #next, [aria-keyshortcuts="${caseActions.approve.key}"]`;

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
      const key = event.key.toUpperCase();
      if (key === TICK_KEY) {
        const { shiftKey } = event;
        ownBox()?.dispatchEvent(
          new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }),
        );
        return;
      }
      const target = places[key]?.() ?? keyed(key);
      if (!target) return;
      event.preventDefault();
      target.focus();
      if (target.matches(PRESSED)) target.click();
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
  [TICK_KEY, 'tick'],
  [`⇧ ${TICK_KEY}`, 'range'],
  [COPY_KEY, 'copy'],
  ...caseActionNames.map((action) => [caseActions[action].key, action] as const),
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
          <dl className="grid gap-x-4 gap-y-2 text-fine/5 *:grid *:grid-cols-[56px_1fr] min-[30rem]:grid-cols-2">
            {listed.map(([key, does]) => (
              <div key={does}>
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
