import { sameMoney, toDecimal } from '~/base/money.ts';
import type { Language } from '~/base/languages.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { check } from './check.ts';
import type { Extra } from './extra.server.ts';
import { storeChange } from './change/store-change.server.ts';
import { closeDraft, endDraftLinks, holdDraft } from './draft.server.ts';
import { visaPricesIn } from './prices.server.ts';
import { firstIncomplete } from './checked-journey.ts';
import { quoteWith, readChoice, type Quoted } from './quote-with.server.ts';
import { inputOf, submit } from './submit.server.ts';
import { stepOf } from './steps.ts';
import { answersOf } from './wizard/typed.ts';
import { isForOther } from './wizard/other-nationality.ts';
import { chosenIn, leadToOther } from './wizard/wizard.server.ts';

export type SubmittedDraft =
  | { kind: 'submitted'; applicationNumber: string }
  /** Nothing was stored: an answer is missing, time has made one wrong, or the page showed another nationality. */
  | { kind: 'incomplete'; url: string }
  /** Nothing was stored: what is due is not what the page showed. */
  | { kind: 'wrong_total'; quoted: Quoted }
  /** The application that was opened again cannot be changed any more, or not by this browser; nothing was stored. */
  | { kind: 'unchangeable'; applicationNumber: string }
  | { kind: 'over' };

/**
 * Makes an application and its order of a draft, once: the draft is held meanwhile and remembers the number, so that a
 * second click, a retry and another tab find the same application. That is this form's idempotency key.
 */
export async function submitDraft(
  platform: Platform,
  draftId: string,
  {
    language,
    sessionHash,
    totalShown,
    choice,
    extra,
    page = '',
  }: {
    language: Language;
    sessionHash: Buffer;
    totalShown: string | null;
    /** What to take along, as the page sends it; an id of `extra`'s offer, or nothing. */
    choice: string;
    extra: Extra | null;
    /** Which opening of the page is sent; it must have shown the nationality that is submitted. */
    page?: string;
  },
): Promise<SubmittedDraft> {
  const countries = await allCountries(platform);
  return platform.db.transaction(async (tx) => {
    const now = platform.now();
    const draft = await holdDraft(tx, platform, draftId);
    if (!draft) return { kind: 'over' };
    if (draft.applicationNumber) {
      return { kind: 'submitted', applicationNumber: draft.applicationNumber };
    }
    const answers = answersOf(draft.content.typed);
    const country = chosenIn(countries, answers.countryId, language);
    const situation = { now, country, readPhone };
    if (isForOther(page, answers.countryId)) {
      return { kind: 'incomplete', url: leadToOther('review', answers, situation) };
    }
    const { problems, values } = check(answers, situation);
    if (problems.length > 0)
      return { kind: 'incomplete', url: firstIncomplete(answers, situation).url };
    const input = inputOf(values, situation);
    const prices = await visaPricesIn(tx, now);
    const quoted = await quoteWith(tx, extra, { prices, now }, input, choice);
    const { changing } = draft;
    // Only the page with the answers knows what is agreed to: a button of another page does not.
    if (changing !== null && totalShown === null) {
      return { kind: 'incomplete', url: stepOf('review').url };
    }
    const isShown = totalShown === null || totalShown === toDecimal(quoted.total);
    if (!isShown || quoted.choice !== readChoice(choice)) return { kind: 'wrong_total', quoted };
    if (changing !== null) {
      const made = await storeChange(tx, platform.sealer, changing, input, {
        language,
        sessionHash,
        now,
        prices,
        along: extra && { extra, choice: quoted.choice },
      });
      if (!made.ok) return { kind: 'unchangeable', applicationNumber: changing };
      if (!sameMoney(made.value.totalAmount, quoted.total)) {
        throw new Error('The price changed meanwhile');
      }
      if (made.value.hasMoved) await endDraftLinks(tx, draft.id);
      await closeDraft(tx, platform, draft, changing);
      return { kind: 'submitted', applicationNumber: changing };
    }
    const along = extra && quoted.choice ? { extra, choice: quoted.choice } : null;
    const submission = { language, sessionHash, now, prices, along };
    const made = await submit(tx, platform.sealer, input, submission);
    // Another price came to be between the quote and the order: nobody has agreed to it.
    if (!sameMoney(made.totalAmount, quoted.total)) throw new Error('The price changed meanwhile');
    await closeDraft(tx, platform, draft, made.applicationNumber);
    return { kind: 'submitted', applicationNumber: made.applicationNumber };
  });
}
