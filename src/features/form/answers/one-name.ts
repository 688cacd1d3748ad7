import type { Typed } from './controls.ts';

/** The box for a passport with a single name: it is the last name, and in the API the first name, too. */
export const ONE_NAME = 'oneName';

/** The answers with a single name in both places, where the box says so. */
export const withOneName = <Answers extends { firstName?: string; lastName?: string }>(
  answers: Answers,
  typed: Typed,
): Answers => (typed[ONE_NAME] ? { ...answers, firstName: answers.lastName } : answers);

/** The controls of a single name in given answers: the inverse of `withOneName`. Empty for two different names. */
export const oneNameBox = ({
  firstName = '',
  lastName = '',
}: {
  firstName?: string | undefined;
  lastName?: string | undefined;
}): Typed =>
  firstName === lastName && lastName !== '' ? { [ONE_NAME]: 'yes', firstName: '' } : {};
