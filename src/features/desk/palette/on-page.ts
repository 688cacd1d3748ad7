/** Actions that the palette offers where the page has their control; texts in `palette:act.<name>`. */
const controls = {
  approve: '#approve',
  start: '[name="intent"][value="start"]',
  reject: '#reject',
  note: '#notes textarea[name^="note-"]',
  assign: '[name="colleague"]',
  take: '[name="intent"][value="take"]',
  next: '#next',
} as const;
export type ActName = keyof typeof controls;

/** Those that need a press; the others wait for words, so they get the focus. */
const pressed: readonly ActName[] = ['approve', 'start', 'reject', 'take', 'next'];

/**
 * The actions that the page has now, each by pressing its own button: the palette does nothing that the page does not.
 * A button that is held back is left out.
 */
export function onPage(): { name: ActName; press: () => void }[] {
  return Object.entries(controls).flatMap(([key, selector]) => {
    const name = key as ActName;
    const control = document.querySelector<HTMLElement>(selector);
    if (!control || control.ariaDisabled === 'true') return [];
    const press = () => {
      const around = control.closest('details');
      if (around) around.open = true;
      control.focus();
      if (pressed.includes(name)) control.click();
    };
    return [{ name, press }];
  });
}
