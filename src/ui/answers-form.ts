/** The id of a page's form whose answers go along when the language is switched. */
export const ANSWERS_FORM = 'answers';

/** A route exports this as its `handle` where its page has that form and its action knows `SWITCH_LANGUAGE`. */
export const answersHandle = { takesAnswers: true };

export const takesAnswers = (handle: unknown): boolean =>
  typeof handle === 'object' && handle !== null && Reflect.get(handle, 'takesAnswers') === true;

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
