import { useEffect, useRef } from 'react';
import { useNavigation } from 'react-router';

/** The form that was sent: by what it does, and about what. */
type Sent = { intent: string; about: string };

/**
 * Puts the focus back to where a form was sent from, once its answer is shown and what had the focus is gone. It is never
 * left on the body, where the next letters of somebody who types on would be shortcuts.
 */
export function useKeptFocus(): void {
  const { state } = useNavigation();
  const sent = useRef<Sent | null>(null);
  useEffect(() => {
    const submit = ({ target, submitter }: SubmitEvent) => {
      if (!(target instanceof HTMLFormElement)) return;
      const form = new FormData(target, submitter);
      sent.current = { intent: textOf(form, 'intent'), about: textOf(form, 'about') };
    };
    document.addEventListener('submit', submit, true);
    return () => document.removeEventListener('submit', submit, true);
  }, []);
  useEffect(() => {
    const last = sent.current;
    if (state !== 'idle' || !last) return;
    sent.current = null;
    if (document.activeElement === null || document.activeElement === document.body)
      placeOf(last)?.focus({ preventScroll: true });
  }, [state]);
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The first field of the same form, or of one that does the same; the open case or the page where there is none left. */
function placeOf({ intent, about }: Sent): HTMLElement | null {
  const forms = [...document.forms].filter((form) =>
    [...form.elements].some((one) => isNamed(one, 'intent', intent)),
  );
  const same = forms.find((form) => [...form.elements].some((one) => isNamed(one, 'about', about)));
  const form = same ?? forms[0];
  const around = form?.closest('details');
  if (around && !around.open) return around.querySelector('summary');
  return (
    form?.querySelector<HTMLElement>('textarea, select, input:not([type="hidden"])') ??
    form?.querySelector<HTMLElement>('button') ??
    document.getElementById('application-name') ??
    document.getElementById('main')
  );
}

const isNamed = (one: Element, name: string, value: string): boolean =>
  value !== '' &&
  (one instanceof HTMLInputElement || one instanceof HTMLButtonElement) &&
  one.name === name &&
  one.value === value;
