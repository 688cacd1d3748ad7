/** The id of a page's form whose answers go along when the language is switched. */
export const ANSWERS_FORM = 'answers';

/**
 * How that form goes along. `kept`: it is only shown again, with `SWITCH_LANGUAGE`. `asked`: what the page answers is
 * asked again in the other language.
 */
export type CarriedAnswers = 'kept' | 'asked';

/**
 * A route exports this as its `handle` where its page has that form, and its action, or the loader of a form that is
 * got, knows `SWITCH_LANGUAGE`. The loader's `carriedAnswers` says how it goes along; null: not this time, the address says
 * everything.
 */
export const answersHandle = { takesAnswers: true };

/** The same for a form that says by itself when a request did not get through: its action's answer is then `{ offline: true }`. */
export const formHandle = { ...answersHandle, tellsOffline: true };

export function carriedAnswers({
  handle,
  loaderData,
}: {
  handle: unknown;
  loaderData: unknown;
}): CarriedAnswers | null {
  if (!hasKey(handle, 'takesAnswers')) return null;
  if (!hasKey(loaderData, 'carriedAnswers')) return 'kept';
  const how = Reflect.get(loaderData, 'carriedAnswers');
  return how === 'asked' || how === 'kept' ? how : null;
}

const hasKey = (value: unknown, key: string): value is object =>
  typeof value === 'object' && value !== null && key in value;

/** Whether a form that is got was only sent to be shown again. */
export const isLanguageSwitch = (query: URLSearchParams): boolean =>
  query.get('intent') === SWITCH_LANGUAGE;

/** The `intent` of a form that is only to be shown again, in the language of the address that it was sent to. */
export const SWITCH_LANGUAGE = 'language';

/**
 * Leaves forms to the browser whose button names an address of its own. It is another language's, outside what this
 * page's router knows: the router would send the form to this page instead.
 */
export function leaveToBrowser(): void {
  addEventListener(
    'submit',
    (event) => {
      if (event.submitter?.hasAttribute('formaction')) event.stopPropagation();
    },
    true,
  );
}
