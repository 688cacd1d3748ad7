import { describe, expect, test } from 'vitest';
import {
  applyOutcome,
  findBlock,
  NOTHING_YET,
  shownCase,
  shownGroup,
  type LiveAnswer,
  type LiveOutcome,
  type LiveState,
} from './live-state.ts';
import { caseNews, signalNews } from './live-desk.tsx';
import type { OpenCase } from '../application/open-case.server.ts';
import type { OpenGroup } from '../several/open-group.server.ts';

/** An application with the fields that these rules use. */
function made(
  mark: string,
  {
    status = 'pending',
    holder = null,
    emails = [],
  }: { status?: string; holder?: string | null; emails?: { id: string; state: string }[] } = {},
): OpenCase {
  const one: unknown = {
    mark,
    application: { number: 'TRV1', status },
    caseFile: { nextNote: `note-${mark}`, emails, refunds: [] },
    holder: holder === null ? null : { name: holder, until: new Date(0) },
  };
  return one as OpenCase;
}

const signals = {
  forYou: 0,
  corrections: 0,
  undelivered: 0,
  undeliveredLate: 0,
  refunds: 0,
  alerts: 0,
  looks: 0,
  proposals: 0,
  requests: 0,
  partnersDown: [],
  maySeePayments: true,
  yearWithoutFeasts: null,
};
const sessionEnd = { at: 9, isFinal: false };
const idle = { list: '', inForms: false, focusedRow: null };
const answered = (answer: Partial<LiveAnswer>): LiveOutcome => ({
  kind: 'answer',
  answer: { at: 2, signals, sessionEnd, queue: null, opened: null, group: null, ...answer },
});
const rows = (...numbers: string[]) => {
  const queue: unknown = { queue: { rows: numbers.map((number) => ({ number })) }, figures: {} };
  return queue as NonNullable<LiveAnswer['queue']>;
};
const page = { opened: made('a'), now: 1 };

describe('an application that changed while it was open', () => {
  test('is shown as it is now, its forms too, where nobody is at work in them', () => {
    const now = made('b', { status: 'approved' });
    const shown = shownCase(
      page,
      applyOutcome(NOTHING_YET, answered({ opened: now }), idle).opened,
    );
    expect(shown.latest.application.status).toBe('approved');
    expect(shown.forms.application.status).toBe('approved');
    expect(findBlock(shown)).toBeNull();
    // The note that is being written keeps its id.
    expect(shown.latest.caseFile.nextNote).toBe('note-a');
  });

  test('keeps the forms that somebody is filling in, and blocks them', () => {
    const now = made('b', { status: 'approved' });
    const busy = { ...idle, inForms: true };
    const kept = applyOutcome(NOTHING_YET, answered({ opened: now }), busy);
    const shown = shownCase(page, kept.opened);
    expect(shown.latest.application.status).toBe('approved');
    expect(shown.forms.mark).toBe('a');
    expect(findBlock(shown)).toEqual({ why: 'changed', status: 'approved' });
    // Once nobody is filling them in, the forms are updated.
    const later = applyOutcome(kept, answered({ at: 3 }), idle);
    expect(shownCase(page, later.opened).forms.mark).toBe('b');
    expect(findBlock(shownCase(page, later.opened))).toBeNull();
  });

  test('names who took it over from the person filling in a form', () => {
    const taken = made('b', { holder: 'D. Kaya' });
    const busy = { ...idle, inForms: true };
    const state = applyOutcome(NOTHING_YET, answered({ opened: taken }), busy);
    expect(findBlock(shownCase(page, state.opened))).toEqual({ why: 'taken', name: 'D. Kaya' });
  });

  test('is as a newer page says', () => {
    const state = applyOutcome(NOTHING_YET, answered({ opened: made('b') }), idle);
    expect(shownCase({ opened: made('c'), now: 3 }, state.opened).latest.mark).toBe('c');
  });
});

test('a row that has the focus is not taken away from under it', () => {
  const first = applyOutcome(NOTHING_YET, answered({ queue: rows('1', '2') }), idle);
  const onRow = { ...idle, focusedRow: '2' };
  const gone = applyOutcome(first, answered({ at: 3, queue: rows('1') }), onRow);
  expect(gone.queue).toBe(first.queue);
  const moved = applyOutcome(first, answered({ at: 3, queue: rows('2', '3') }), onRow);
  expect(moved.queue?.value.queue.rows.map(({ number }) => number)).toEqual(['2', '3']);
});

test('three failures in a row, or an ended session, stop the requests; an answer resets the count', () => {
  const failed: LiveOutcome = { kind: 'failed' };
  const after = (...outcomes: LiveOutcome[]): LiveState =>
    outcomes.reduce((state, outcome) => applyOutcome(state, outcome, idle), NOTHING_YET);
  expect(after(failed, failed).problem).toBeNull();
  expect(after(failed, failed, failed).problem).toBe('failed');
  expect(after(failed, failed, answered({}), failed, failed).problem).toBeNull();
  expect(after({ kind: 'signed_out' }).problem).toBe('signed_out');
});

test('the most important change is announced, and nothing where nothing changed', () => {
  const email = (state: string, subject: string | null = 'Approved') => ({
    emails: [{ id: 'l', state, subject }],
  });
  expect(caseNews(made('a'), made('a'))).toBeNull();
  expect(caseNews(made('a'), made('b', { holder: 'D. Kaya', status: 'approved' }))).toEqual({
    kind: 'taken',
    name: 'D. Kaya',
  });
  expect(caseNews(made('a'), made('b', { status: 'approved' }))).toEqual({
    kind: 'status',
    status: 'approved',
  });
  expect(caseNews(made('a', email('queued')), made('b', email('sent')))).toEqual({
    kind: 'emails',
  });
  // An email is stored with what it says a moment before it is sent.
  expect(caseNews(made('a', email('queued', null)), made('b', email('queued')))).toEqual({
    kind: 'emails',
  });
  // Giving a claim back is not announced.
  expect(caseNews(made('a', { holder: 'D. Kaya' }), made('b'))).toBeNull();
  expect(signalNews(signals, { ...signals, alerts: 2 })).toEqual([
    { kind: 'signal', of: 'alerts', count: 2 },
  ]);
  expect(signalNews({ ...signals, refunds: 1 }, signals)).toEqual([]);
});

describe('the travellers of an order', () => {
  const group = (mark: string, orderNumber = 'TRG1'): OpenGroup => {
    const one: unknown = { orderNumber, mark, view: { ids: [], travellers: [] } };
    return one as OpenGroup;
  };
  const loaded = { group: group('a'), now: 1 };

  test('are shown as they came last, and as the page loaded them where that is newer', () => {
    const state = applyOutcome(NOTHING_YET, answered({ group: group('b') }), idle);
    expect(shownGroup(loaded, state.group)?.value.mark).toBe('b');
    expect(shownGroup({ ...loaded, now: 3 }, state.group)?.value.mark).toBe('a');
    expect(shownGroup({ group: group('c', 'TRG2'), now: 1 }, state.group)?.value.mark).toBe('c');
    expect(shownGroup({ group: null, now: 1 }, state.group)).toBeNull();
    expect(applyOutcome(state, answered({}), idle).group).toEqual(state.group);
  });
});
