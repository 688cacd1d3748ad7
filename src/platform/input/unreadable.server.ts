import { createContext } from 'react-router';
import { problem } from '../http/problem.server.ts';

/** Why the body or address of a request is refused. */
export type Unreadable =
  | 'broken_off'
  | 'not_json'
  | 'not_a_form'
  | 'wrong_type'
  | 'too_deep'
  | 'too_many_fields'
  | 'bad_characters';

const details: Record<Unreadable, { status: number; detail: string }> = {
  broken_off: { status: 400, detail: 'The body did not arrive whole.' },
  not_json: { status: 400, detail: 'The body must be JSON.' },
  not_a_form: { status: 400, detail: 'The form did not arrive whole.' },
  wrong_type: {
    status: 415,
    detail: 'The body must be application/x-www-form-urlencoded or multipart/form-data.',
  },
  too_deep: { status: 400, detail: 'The JSON has too many levels.' },
  too_many_fields: { status: 400, detail: 'The body has too many members or fields.' },
  bad_characters: {
    status: 400,
    detail: 'No text may hold the character NUL or half a character.',
  },
};

export const statusOfUnreadable = (why: Unreadable): number => details[why].status;

/** The answer to a call. `extra`: what its callers find beside the code in every refusal. */
export const unreadableProblem = (why: Unreadable, extra?: Record<string, unknown>): Response =>
  problem({ ...details[why], code: why, extra });

/** Why the form of a page could not be read; set by `readForm`, answered by `pages.server.ts`. */
export const unreadableContext = createContext<Unreadable | null>(null);
