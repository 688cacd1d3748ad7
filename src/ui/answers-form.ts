/** The id of a page's form whose answers go along when the language is switched. */
export const ANSWERS_FORM = 'answers';

/**
 * What happens to that form. `kept`: it is sent with `SWITCH_LANGUAGE` and only shown again. `asked`: it is sent as
 * before, and what the page answers is shown in the other language.
 */
export type CarriedAnswers = 'kept' | 'asked';

/**
 * A route exports this as its `handle` where its page has that form and its action, or its loader for a GET form,
 * handles `SWITCH_LANGUAGE`. `carriedAnswers` in the loader's data says what happens to the form; null where the
 * address alone holds everything.
 */
export const answersHandle = { takesAnswers: true };

/**
 * The same for a page that itself says when a request did not get through: its action's answer is then `{ offline: true
 * }`.
 */
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

/** Whether a GET form was only sent to be shown again. */
export const isLanguageSwitch = (query: URLSearchParams): boolean =>
  query.get('intent') === SWITCH_LANGUAGE;

/** The `intent` of a form that is only to be shown again, in the language of the address that it was sent to. */
export const SWITCH_LANGUAGE = 'language';

/**
 * Lets the browser send a form whose button names an address of its own. That is one of another language, which this
 * page's router does not know: it would send the form to this page instead.
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
