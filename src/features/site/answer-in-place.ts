import { showLocalTimes } from './local-times.ts';

/** Parts of the page that depend on the query: the card, and the links to other languages. */
const ANSWERED = ['[data-check]', '.language-menu'];

/**
 * Answers the card's question without loading a document: fetches the page that the form asks for and replaces the
 * card. On any failure the browser submits the form.
 */
export function answerInPlace(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.closest('[data-check]')) return;
    // A language's button leads to another document.
    if (event.submitter?.hasAttribute('formaction')) return;
    event.preventDefault();
    ask(form).catch(() => form.submit());
  });
}

async function ask(form: HTMLFormElement): Promise<void> {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string') query.append(name, value);
  }
  const address = `${location.pathname}?${query}`;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`Answered ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of ANSWERED) {
    const fresh = page.querySelector(part);
    if (!fresh) throw new Error(`Answered without ${part}`);
    document.querySelector(part)?.replaceWith(fresh);
  }
  showLocalTimes();
  document.title = page.title;
  history.replaceState(null, '', address);
  // The focus moves to the summary of what is wrong, or to the answer.
  document.querySelector<HTMLElement>('[data-check] :is(.error-summary, .check-answer)')?.focus();
}
