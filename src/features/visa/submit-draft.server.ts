import { toDecimal, type Money } from '~/base/money.ts';
import type { Language } from '~/base/languages.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { check } from './check.ts';
import { closeDraft, holdDraft } from './draft.server.ts';
import { firstIncomplete } from './journey.ts';
import { quote } from './price-list.ts';
import { inputOf, submit } from './submit.server.ts';
import { answersOf } from './wizard/typed.ts';
import { chosenCountry } from './wizard/wizard.server.ts';

export type SubmittedDraft =
  | { kind: 'submitted'; applicationNumber: string }
  /** Nothing was stored: an answer is missing, or time has made one wrong. */
  | { kind: 'incomplete'; url: string }
  /** Nothing was stored: the price changed since the page was shown. */
  | { kind: 'wrong_total'; total: Money }
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
  }: { language: Language; sessionHash: Buffer; totalShown: string | null },
): Promise<SubmittedDraft> {
  return platform.db.transaction(async (tx) => {
    const now = platform.now();
    const draft = await holdDraft(tx, platform, draftId);
    if (!draft) return { kind: 'over' };
    if (draft.applicationNumber) {
      return { kind: 'submitted', applicationNumber: draft.applicationNumber };
    }
    const answers = answersOf(draft.content.typed);
    const country = await chosenCountry(platform, answers.countryId, language);
    const situation = { now, country };
    const { problems, values } = check(answers, situation);
    if (problems.length > 0)
      return { kind: 'incomplete', url: firstIncomplete(answers, situation).url };
    const input = inputOf(values, situation);
    const { total } = quote(input.path, values.processingType ?? '');
    if (totalShown !== null && totalShown !== toDecimal(total))
      return { kind: 'wrong_total', total };
    const made = await submit(tx, platform.sealer, input, { language, sessionHash, now });
    await closeDraft(tx, platform, draft, made.applicationNumber);
    return { kind: 'submitted', applicationNumber: made.applicationNumber };
  });
}
