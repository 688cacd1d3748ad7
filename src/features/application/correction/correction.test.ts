import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { DAY_MS, addDays, toPlainDate, TURKIYE } from '~/base/dates/dates.ts';
import { startOfDay } from '~/base/dates/wall-clock.ts';
import { firstOffice } from '~/base/dates/office.ts';
import { lastOpenMinute, nextOpening } from '~/base/dates/working-hours.ts';
import { languageCodes } from '~/base/languages.ts';
import { correctable as ofInsurance } from '~/features/insurance/correctable.ts';
import { correctable as ofVisa } from '~/features/visa/correctable.ts';
import { rejectionCodes, rejectionCodesByKind, hasRejectionText } from '../rejection.ts';
import {
  fillTemplate,
  MAX_TEMPLATE_LENGTH,
  messageTemplates,
  templateKinds,
  tidyTemplate,
  wrongPlaceholder,
} from '../template.ts';
import { defaultTemplate } from '../templates.server.ts';
import { applicationStatuses } from '../status-machine.ts';
import { MAX_TRAVELLERS } from '../travellers.ts';
import { applicationsLeaving, linesLeft } from '../leave-order.ts';
import { CORRECTION_DAYS, correctionDeadline } from './correction.ts';

const MINUTE = 60_000;

/** The promised moment after an answer, as `resumeClock` moves it. */
const movedBy = (promisedAt: Date, askedAt: Date, answeredAt: Date) =>
  nextOpening(
    new Date(promisedAt.getTime() + answeredAt.getTime() - askedAt.getTime()),
    firstOffice,
  );

test.each([
  // Friday. A day of work is left: the answer is due a day before the last opening minute before the arrival.
  ['2026-11-27T09:00Z', '2026-11-28T09:00Z', '2026-12-20', '2026-12-17T17:59Z', true],
  // The arrival is far: four weeks.
  ['2026-11-27T09:00Z', '2026-11-30T09:00Z', '2027-03-01', '2026-12-25T09:00Z', true],
  // Nothing is promised: until the office closes before the arrival.
  ['2026-11-27T09:00Z', null, '2026-12-08', '2026-12-07T17:59Z', true],
  // The promise is for the last minutes before the arrival: until the arrival, which may not be made.
  ['2026-11-27T09:00Z', '2026-12-07T17:30Z', '2026-12-08', '2026-12-07T21:00Z', false],
  // The day of arrival has begun.
  ['2026-12-08T09:00Z', '2026-12-09T09:00Z', '2026-12-08', '2026-12-09T09:00Z', false],
])('asked %s, promised %s, arriving %s: by %s', (...row) => {
  const [askedAt, promisedAt, startsOn, answerBy, keepsStart] = row;
  const asked = {
    askedAt: new Date(askedAt),
    promisedAt: promisedAt === null ? null : new Date(promisedAt),
    startsOn,
  };
  expect(correctionDeadline(asked, firstOffice)).toEqual({
    answerBy: new Date(answerBy),
    keepsStart,
  });
});

const asking = fc
  .record({
    asked: fc.date({
      min: new Date('2026-01-01'),
      max: new Date('2028-01-01'),
      noInvalidDate: true,
    }),
    work: fc.integer({ min: 0, max: 30 * 24 * 60 }),
    days: fc.integer({ min: 0, max: 120 }),
    late: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ asked, work, days, late }) => {
    const askedAt = new Date(Math.floor(asked.getTime() / MINUTE) * MINUTE);
    const promisedAt = nextOpening(new Date(askedAt.getTime() + work * MINUTE), firstOffice);
    const startsOn = addDays(toPlainDate(askedAt, TURKIYE), days);
    return { askedAt, promisedAt, startsOn, late };
  });

describe('the deadline of a correction', () => {
  it('leaves enough time before the trip for every answer until then, where it says so', () => {
    fc.assert(
      fc.property(asking, ({ late, ...one }) => {
        const { answerBy, keepsStart } = correctionDeadline(one, firstOffice);
        const answered = new Date(
          one.askedAt.getTime() + (answerBy.getTime() - one.askedAt.getTime()) * late,
        );
        const moved = movedBy(one.promisedAt, one.askedAt, answered);
        if (keepsStart) expect(toPlainDate(moved, TURKIYE) < one.startsOn).toBe(true);
      }),
    );
  });

  it('is the latest one that does, within four weeks', () => {
    fc.assert(
      fc.property(asking, ({ late: _, ...one }) => {
        const { answerBy, keepsStart } = correctionDeadline(one, firstOffice);
        const limit = one.askedAt.getTime() + CORRECTION_DAYS * DAY_MS;
        expect(answerBy.getTime()).toBeGreaterThan(one.askedAt.getTime());
        expect(answerBy.getTime()).toBeLessThanOrEqual(limit);
        if (!keepsStart || answerBy.getTime() === limit) return;
        const moved = movedBy(one.promisedAt, one.askedAt, new Date(answerBy.getTime() + MINUTE));
        expect(toPlainDate(moved, TURKIYE) < one.startsOn).toBe(false);
      }),
    );
  });

  it('is never after the day of arrival has begun, unless it had when it was asked', () => {
    fc.assert(
      fc.property(asking, ({ late: _, ...one }) => {
        const start = startOfDay(one.startsOn, TURKIYE);
        fc.pre(start.getTime() >= one.askedAt.getTime() + 60 * MINUTE);
        expect(correctionDeadline(one, firstOffice).answerBy <= start).toBe(true);
      }),
    );
  });
});

test('the last open minute before a moment is within working hours', () => {
  expect(lastOpenMinute(new Date('2026-11-30T09:00Z'), firstOffice)).toEqual(
    new Date('2026-11-27T17:59Z'),
  );
  expect(lastOpenMinute(new Date('2026-11-30T12:00Z'), firstOffice)).toEqual(
    new Date('2026-11-30T11:59Z'),
  );
});

describe('the placeholders of a template', () => {
  test.each([
    ['rejection', 'Quote {{number}}.', null],
    ['rejection', 'Quote {{ number }} twice: {{number}}.', null],
    // Anybody with the number reads the reason on the status page.
    ['rejection', 'Dear {{name}}', '{{name}}'],
    ['correction', 'Dear {{name}}, see {{number}}', null],
    ['correction', 'Dear {{Name}}', '{{Name}}'],
    ['correction', 'Dear {{first name}}', '{{first name}}'],
    ['correction', 'Dear {name}', '{name'],
    ['correction', 'Dear {{name', '{{name'],
    ['correction', 'Dear name}}', '}}'],
    ['correction', 'Dear {{{name}}}', '{'],
  ] as const)('of a %s: “%s” has %s wrong', (kind, text, wrong) => {
    expect(wrongPlaceholder(kind, text)).toBe(wrong);
  });

  test('are filled in once, whatever a name looks like', () => {
    const filled = fillTemplate('{{name}} ({{ number }})', { name: '$& {{number}}', number: 'X' });
    expect(filled).toBe('$& {{number}} (X)');
  });
});

test('a template is one paragraph', () => {
  expect(tidyTemplate('  Two \r\n\r\n lines ')).toBe('Two lines');
});

test.each(languageCodes)(
  'every reason, field and message has a text in %s that fits and needs nothing filled in',
  (language) => {
    const names = {
      rejection: rejectionCodes.filter((code) => code !== 'other'),
      correction: [...ofVisa, ...ofInsurance],
      message: messageTemplates,
    };
    for (const kind of templateKinds) {
      for (const name of names[kind]) {
        const text = defaultTemplate({ kind, name }, language);
        expect(text, `${kind} ${name}`).toBeTruthy();
        expect(text).not.toContain('{');
        expect(text?.length).toBeLessThanOrEqual(MAX_TEMPLATE_LENGTH);
        expect(tidyTemplate(text ?? '')).toBe(text);
      }
    }
    expect(defaultTemplate({ kind: 'rejection', name: 'other' }, language)).toBeNull();
  },
);

test('every reason is for a visa, an insurance or both, and "other" closes each list', () => {
  const [visa, insurance] = [rejectionCodesByKind('visa'), rejectionCodesByKind('insurance')];
  expect(new Set([...visa, ...insurance])).toEqual(new Set(rejectionCodes));
  expect([visa.at(-1), insurance.at(-1)]).toEqual(['other', 'other']);
  expect(visa).not.toContain('parent_id_unreadable');
  expect(insurance).not.toContain('authorities_refused');
});

test('"other" and the time before the list say nothing without words', () => {
  expect([hasRejectionText('other'), hasRejectionText('duplicate')]).toEqual([false, true]);
});

const member = (kind: 'visa' | 'insurance', travellerPosition: number) => ({
  kind,
  travellerPosition,
  number: `${kind === 'visa' ? 'TRV' : 'TRI'}${travellerPosition}`,
  status: 'pending' as const,
});

/** Travellers, some insured, with one to six price lines for each application. */
const orders = fc
  .array(
    fc.record({
      isInsured: fc.boolean(),
      visa: fc.array(fc.integer({ min: 1, max: 500_00 }), { minLength: 1, maxLength: 5 }),
      plan: fc.integer({ min: 1, max: 500_00 }),
    }),
    { minLength: 1, maxLength: MAX_TRAVELLERS },
  )
  .map((travellers) => {
    const together = travellers.flatMap(({ isInsured }, index) => [
      member('visa', index + 1),
      ...(isInsured ? [member('insurance', index + 1)] : []),
    ]);
    const lines = travellers.flatMap(({ visa, plan, isInsured }, index) => [
      ...visa.map((amountMinor) => ({ applicationNumber: `TRV${index + 1}`, amountMinor })),
      ...(isInsured ? [{ applicationNumber: `TRI${index + 1}`, amountMinor: plan }] : []),
    ]);
    return { together, lines };
  });

describe('a rejection in an unpaid order', () => {
  test('leaves all lines of everybody else as they are, and their sum is due', () => {
    fc.assert(
      fc.property(orders, fc.nat(), ({ together, lines }, pick) => {
        const rejected = together[pick % together.length];
        if (!rejected) throw new Error('Nobody to reject');
        const left = linesLeft(lines, applicationsLeaving(together, rejected));
        const isOf = (number: string) => {
          const one = together.find((found) => found.number === number);
          return one?.travellerPosition === rejected.travellerPosition;
        };
        const others = lines.filter(({ applicationNumber }) => !isOf(applicationNumber));
        expect(left.lines.filter(({ applicationNumber }) => !isOf(applicationNumber))).toEqual(
          others,
        );
        const own = lines.filter(
          ({ applicationNumber }) =>
            isOf(applicationNumber) &&
            rejected.kind === 'insurance' &&
            applicationNumber !== rejected.number,
        );
        const sum = [...others, ...own].reduce((total, line) => total + line.amountMinor, 0);
        expect(left.amountMinor).toBe(sum);
        expect(left.lines.some((line) => line.applicationNumber === rejected.number)).toBe(false);
      }),
    );
  });

  test('one after the other, in any order, leaves nothing due', () => {
    fc.assert(
      fc.property(
        orders.chain((order) =>
          fc.tuple(
            fc.constant(order),
            fc.shuffledSubarray(order.together, { minLength: order.together.length }),
          ),
        ),
        ([{ lines }, each]) => {
          const left = each.reduce((kept, one) => linesLeft(kept, [one]).lines, lines);
          expect(linesLeft(left, [])).toEqual({ lines: [], amountMinor: 0 });
        },
      ),
    );
  });

  test('of a visa takes the insurance of the same traveller along, not another traveller’s', () => {
    const [first, second] = [member('visa', 1), member('visa', 2)];
    const [own, other] = [member('insurance', 1), member('insurance', 2)];
    expect(applicationsLeaving([first, own, second, other], first)).toEqual([first, own]);
    expect(applicationsLeaving([first, second, other], first)).toEqual([first]);
  });

  test('of an insurance leaves the visa', () => {
    const [visa, insurance] = [member('visa', 1), member('insurance', 1)];
    expect(applicationsLeaving([visa, insurance], insurance)).toEqual([insurance]);
  });

  test.each(applicationStatuses)('of a visa beside an insurance that is %s', (status) => {
    const [visa, insurance] = [member('visa', 1), { ...member('insurance', 1), status }];
    const isOpen = status === 'pending' || status === 'processing';
    expect(applicationsLeaving([visa, insurance], { ...visa, status: 'pending' })).toEqual(
      isOpen ? [visa, insurance] : [visa],
    );
  });
});
