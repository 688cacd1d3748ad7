/** How far a finger or a hand moves unintentionally during a press, in CSS pixels. */
const STILL_PX = 10;

type Press = { element: HTMLElement; x: number; y: number };

const pressable = 'a[href], button, summary, label, input:is([type="checkbox"], [type="radio"])';

/**
 * Makes a press count for what was pressed, even where the page moves in the middle of it: scripts that arrive, a
 * message that appears or goes when a field is left. The browser gives such a click to whatever then lies under the
 * pointer. Listens from now on for as long as the page lives; a press that is under way counts, too.
 */
export function retargetClicks(): void {
  const active = [...document.querySelectorAll<HTMLElement>(`:is(${pressable}):active`)].at(-1);
  let press: Press | null = active ? { element: active, x: Number.NaN, y: Number.NaN } : null;

  addEventListener(
    'pointerdown',
    ({ target, button, isPrimary, clientX: x, clientY: y }) => {
      const element = target instanceof Element && target.closest<HTMLElement>(pressable);
      press = element && button === 0 && isPrimary ? { element, x, y } : null;
    },
    true,
  );
  addEventListener('pointercancel', () => void (press = null), true);
  addEventListener('pointerup', (event) => {
    if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > STILL_PX) {
      press = null;
    }
  });
  addEventListener(
    'click',
    (event) => {
      const pressed = press?.element;
      press = null;
      // Keys and scripts click, too, without any press.
      if (!pressed?.isConnected || !event.isTrusted || event.detail === 0) return;
      if (event.target instanceof Node && pressed.contains(event.target)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      pressed.click();
    },
    true,
  );
}
