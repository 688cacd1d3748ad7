import { usd } from '~/base/money.ts';
import type { QueueRow } from '../list/queue.server.ts';

/*
 * The rows of a list are sent to the browser as one text without field names: serialising a thousand values separately
 * takes the router half as long as React takes for the page.
 */

type Moment = number | null;

/** The cells of a row, in written order. */
type Cells = [
  texts: [
    id: string,
    number: string,
    first: string,
    last: string,
    country: string,
    service: string,
  ],
  states: [QueueRow['kind'], QueueRow['status'], QueueRow['paymentStatus']],
  holder: string | null,
  totalMinor: number,
  notes: number,
  flags: [
    withDocument: Flag,
    actionRequired: Flag,
    unanswered: Flag,
    corrected: Flag,
    undelivered: Flag,
    duplicate: Flag,
  ],
  moments: [paused: Moment, promised: Moment, decided: Moment, mailSent: Moment],
];
type Flag = 0 | 1;

const flag = (is: boolean): Flag => (is ? 1 : 0);
const written = (at: Date | null): Moment => at && at.getTime();
const moment = (at: Moment) => (at === null ? null : new Date(at));

const cellsOf = (row: QueueRow): Cells => [
  [row.id, row.number, row.firstName, row.lastName, row.countryCode, row.service],
  [row.kind, row.status, row.paymentStatus],
  row.holder,
  row.total.minor,
  row.notes,
  [
    flag(row.withDocument),
    flag(row.actionRequired),
    flag(row.unanswered),
    flag(row.corrected),
    flag(row.undelivered),
    flag(row.duplicate),
  ],
  [written(row.pausedAt), written(row.promisedAt), written(row.decidedAt), written(row.mailSentAt)],
];

function rowOf([texts, states, holder, totalMinor, notes, flags, moments]: Cells): QueueRow {
  const [id, number, firstName, lastName, countryCode, service] = texts;
  const [kind, status, paymentStatus] = states;
  const [withDocument, actionRequired, unanswered, corrected, undelivered, duplicate] = flags;
  const [pausedAt, promisedAt, decidedAt, mailSentAt] = moments;
  return {
    id,
    number,
    kind,
    firstName,
    lastName,
    countryCode,
    service,
    withDocument: withDocument === 1,
    total: usd(totalMinor),
    status,
    actionRequired: actionRequired === 1,
    pausedAt: moment(pausedAt),
    paymentStatus,
    promisedAt: moment(promisedAt),
    decidedAt: moment(decidedAt),
    unanswered: unanswered === 1,
    corrected: corrected === 1,
    undelivered: undelivered === 1,
    mailSentAt: moment(mailSentAt),
    holder,
    notes,
    duplicate: duplicate === 1,
  };
}

export const writeRows = (rows: readonly QueueRow[]): string => JSON.stringify(rows.map(cellsOf));

/** Reads what `writeRows` has written. */
export function readRows(text: string): QueueRow[] {
  const rows: Cells[] = JSON.parse(text);
  return rows.map(rowOf);
}
