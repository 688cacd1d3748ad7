import { dateOf, TURKIYE, type PlainDate } from '~/base/dates/dates.ts';
import type { Field, Situation, Values } from './answers.ts';

/** What is wrong with an answer. Words: `visa:errors.<field>.<code>`, with `date` and `count` written in the language. */
export type Problem = {
  field: Field;
  code: string;
  date?: PlainDate;
  /** The limit that a text exceeds, in characters. */
  count?: number;
  /** What was probably meant. */
  suggestion?: string;
};
export type Finding = string | { code: string; date: PlainDate } | null;

/**
 * A rule between answers. It is asked only when the answers it `needs` are there and nothing is wrong with them, and
 * the field it is about has no problem yet; so the order of a table is the order of importance.
 */
export type Rule = {
  field: Field;
  needs: readonly Field[];
  find: (values: Values, situation: Situation) => Finding;
};

/** Today as the border sees it. */
export const todayOf = ({ now }: Situation): PlainDate => dateOf(now, TURKIYE);

export const isAfter = (a: PlainDate | undefined, b: PlainDate | undefined): boolean =>
  a !== undefined && b !== undefined && a > b;
