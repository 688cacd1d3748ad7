import type { FormHTMLAttributes, SubmitEvent } from 'react';
import { pageHref, usePage } from './page-context.tsx';

type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, 'action'> & {
  /** Another page's path; this page's own address unless told. */
  action?: string;
  /** Always sent by the browser itself: the answer is a file, or a page with a policy of its own. */
  reloadDocument?: boolean;
};

/**
 * A form that works without scripts. With them, what is posted is sent without leaving the page: where something is
 * wrong the page shows it and keeps what was typed; otherwise the browser goes on to the next page.
 */
export function Form({ action, reloadDocument = false, onSubmit, ...rest }: FormProps) {
  const { basename, address, send } = usePage();
  const isSent = rest.method === 'post' && !reloadDocument && rest.target === undefined;
  function submit(event: SubmitEvent<HTMLFormElement>) {
    onSubmit?.(event);
    const form = event.currentTarget;
    if (event.defaultPrevented || !isSent || leftToBrowser.delete(form)) return;
    event.preventDefault();
    const { submitter } = event.nativeEvent;
    void send(valuesOf(form, submitter), { action, form, submitter });
  }
  // Named even where it is this page: a browser would add the fragment of the address, and take it along to the next page.
  const here = address.pathname + (rest.method === 'post' ? address.search : '');
  return <form {...rest} action={pageHref(basename, action ?? here)} onSubmit={submit} />;
}

/** What a form sends when this button is pressed. Not every browser of today takes the button as an argument. */
function valuesOf(form: HTMLFormElement, submitter: HTMLElement | null): FormData {
  const values = new FormData(form);
  if (submitter instanceof HTMLButtonElement && submitter.name) {
    values.append(submitter.name, submitter.value);
  }
  return values;
}

const leftToBrowser = new WeakSet<HTMLFormElement>();

/** Lets the browser send a form as it would without scripts, and show the answer. */
export function leaveToBrowser(form: HTMLFormElement, submitter: HTMLElement | null): void {
  leftToBrowser.add(form);
  form.requestSubmit(submitter instanceof HTMLButtonElement ? submitter : null);
}
