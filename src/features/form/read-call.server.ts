import type { Language } from '~/base/languages.ts';
import { parseMoney, type Money } from '~/base/money.ts';
import { MAX_TRAVELLERS } from '~/features/application/travellers.ts';
import { formatMessage } from '~/features/application/words.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import type { HttpProblem as CallProblem } from '~/platform/http/problem.server.ts';
import type { AnswerProblem } from './answers/check.ts';
import type { FormName } from './answers/controls.ts';
import { problemMessage } from './answers/problem-message.ts';

/** Characters read of one answer; longer texts are cut, so that patterns never run over megabytes. */
export const MAX_CALL_ANSWER_LENGTH = 1000;

const isText = (given: unknown) => typeof given === 'string' || typeof given === 'number';

/** The answers of these names in the body of a call, as texts; other keys are ignored. */
export function readBodyAnswers<Name extends string>(
  names: readonly Name[],
  body: Record<string, unknown>,
): Partial<Record<Name, string>> {
  const answers: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const given = body[name];
    // One more than the limit, so that the check reports the length.
    if (isText(given)) answers[name] = String(given).slice(0, MAX_CALL_ANSWER_LENGTH + 1);
  }
  return answers;
}

/** The answers of these names that are no texts, as lists are not: such an answer counts as none. */
export const findNonTexts = (
  names: readonly string[],
  body: Record<string, unknown>,
): AnswerProblem[] =>
  names
    .filter((name) => body[name] !== undefined && body[name] !== null && !isText(body[name]))
    .map((field) => ({ field, code: 'not_text' }));

/** The total that a caller agrees to; null where the body names none, or no amount. */
export const readBodyTotal = ({ totalAmount }: Record<string, unknown>): Money | null =>
  typeof totalAmount === 'string' || typeof totalAmount === 'number'
    ? parseMoney(totalAmount)
    : null;

/** What is wrong with the total of a body, as a list that is empty where nothing is. */
export function totalProblems(body: Record<string, unknown>): AnswerProblem[] {
  if (readBodyTotal(body)) return [];
  const isMissing = body.totalAmount === undefined || body.totalAmount === null;
  return [{ field: 'totalAmount', code: isMissing ? 'required' : 'not_an_amount' }];
}

/** A problem with its path in the request (`applications[1].passportExpiryDate`), and the form whose texts name it. */
export type PlacedProblem = {
  place: string;
  problem: AnswerProblem;
  texts: FormName | 'group';
};

/** Problems of a call that is one form. */
export const placeProblems = (
  texts: FormName,
  problems: readonly AnswerProblem[],
): PlacedProblem[] => problems.map((problem) => ({ place: problem.field, problem, texts }));

/** The refusal of a call for these problems, in the words of the pages. Of two at one place the later counts. */
export function invalidCall(language: Language, problems: readonly PlacedProblem[]): CallProblem {
  const messages = problems.map((one) => [one.place, messageInCall(language, one)]);
  return {
    code: problems.some(({ problem }) => problem.code === 'busy') ? 'busy' : 'invalid',
    detail: makeTranslate(language)('api:detail.invalid'),
    errors: Object.fromEntries(problems.map((one) => [one.place, one.problem.code])),
    extra: { messages: Object.fromEntries(messages) },
  };
}

function messageInCall(language: Language, { problem, texts }: PlacedProblem): string {
  const t = makeTranslate(language);
  const { field, code } = problem;
  // Pages ask for day, month and year apart.
  if (code === 'date_invalid') return t('api:field.date_format');
  const message =
    texts === 'group'
      ? {
          title: t(`group:errors.${field.replace(/^.*\./, '')}.${code}.title`, {
            number: MAX_TRAVELLERS,
            defaultValue: '',
          }),
        }
      : problemMessage(t, language, texts, problem);
  return message.title ? formatMessage(message) : t(`api:field.${code}`, { defaultValue: code });
}
