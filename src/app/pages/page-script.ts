import { answerInPlace } from '~/features/site/answer-in-place.ts';
import { showLocalTimes } from '~/features/site/local-times.ts';
import { rememberLanguage } from '~/ui/remember-language.ts';

/** All the script of a page without framework JavaScript. */
rememberLanguage();
answerInPlace();
showLocalTimes();

// The home page makes sure on load that the reference data is there (a rule of the customer's specification).
if (document.querySelector('[data-seed]')) {
  fetch('/api/seed', { method: 'POST' }).catch(() => undefined);
}
