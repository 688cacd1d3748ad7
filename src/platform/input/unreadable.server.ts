import { createContext } from 'react-router';
import { problemStatuses } from '../http/problem-codes.ts';
import { problem, type Problem } from '../http/problem.server.ts';

/** Why the body or address of a request is refused. */
export type Unreadable =
  | 'broken_off'
  | 'not_json'
  | 'not_a_form'
  | 'wrong_type'
  | 'too_deep'
  | 'too_many_fields'
  | 'bad_characters';

export const statusOfUnreadable = (why: Unreadable): number => problemStatuses[why];

/** The answer to a call. `extra`: what its callers find beside the code in every refusal. */
export const unreadableProblem = (why: Unreadable, extra?: Problem['extra']): Response =>
  problem({ code: why, extra });

/** Why the form of a page could not be read; set by `readForm`, answered by `pages.server.ts`. */
export const unreadableContext = createContext<Unreadable | null>(null);
