import type { CaseAction } from '../application/case-actions.ts';
import type { DeskError } from '../application/decision-types.ts';

/** What is done for all applications that are chosen in the list, each time by the action on one. */
export const bulkActions = {
  hand_in: 'start_processing',
  assign: 'assign',
  put_off: 'put_off',
  remind: 'resend_email',
} as const satisfies Record<string, CaseAction>;
export type BulkAction = keyof typeof bulkActions;

export const bulkActionNames = Object.keys(bulkActions) as BulkAction[];

export const BULK_PAGE = '/admin/bulk';
/** The id of the list's form, to which the boxes of its rows belong. */
export const BULK_FORM = 'bulk';

/** Applications in one go; each costs a transaction, and a list shows half as many. */
export const MAX_CHOSEN = 100;
/** Characters of the pasted table. */
export const MAX_TABLE_LENGTH = 20_000;

/** The form's fields: the number of each chosen application, of each that was confirmed, and the pasted table. */
export const CHOSEN = 'chosen';
export const CONFIRMED = 'confirmed';
export const TABLE = 'table';

/** What is wrong with a line of the table; texts in `decision:bulk.line.<code>`. */
export type LineError = {
  /** From 1, as the reader counts: empty lines too. */
  line: number;
  /** As it was pasted. */
  text: string;
  code: 'columns' | 'number' | 'twice' | 'unknown' | 'reference';
  /** Of a number that stands there already: its first line. */
  first?: number;
};

/** Why a form about several goes no further. */
export type BulkProblem =
  | { code: 'none_chosen' | 'too_many' }
  | { code: 'lines'; lines: readonly LineError[] }
  /** A field that is the same for all. */
  | { code: 'typed'; error: DeskError };
