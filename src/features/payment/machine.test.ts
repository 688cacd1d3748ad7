import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  advanceAttempt,
  isDecided,
  isOpen,
  isPaid,
  mayRefund,
  openStates,
  paymentEvents,
  paymentMachine,
  paymentStates,
  type PaymentEvent,
  type PaymentState,
} from './machine.ts';
import {
  isClaiming,
  isMoving,
  refundEvents,
  refundMachine,
  refundStates,
} from './refund-machine.ts';

/** Rows: states. Columns: events, in their order. `=` is ignored, `x` refused. */
const COLUMNS =
  'redirect hold authorise capture capture_again decline cancel expire adopt refund_part refund_rest';
const GRID = `
created            redirected pending authorised completed     captured_late failed cancelled expired x         x                  x
redirected         =          pending authorised completed     captured_late failed cancelled expired x         x                  x
pending            =          =       authorised completed     captured_late failed cancelled expired x         x                  x
authorised         =          =       =          completed     captured_late failed cancelled expired x         x                  x
completed          =          =       =          =             =             =      =         =       =         partially_refunded refunded
failed             =          =       =          captured_late captured_late =      =         =       x         x                  x
cancelled          =          =       =          captured_late captured_late failed =         =       x         x                  x
expired            =          =       =          captured_late captured_late failed cancelled =       x         x                  x
captured_late      =          =       =          =             =             =      =         =       completed x                  refunded
partially_refunded =          =       =          =             =             =      =         =       =         =                  refunded
refunded           =          =       =          =             =             =      =         =       x         =                  =
`;

const outcome = (state: PaymentState, event: PaymentEvent): string => {
  const step = advanceAttempt(state, event);
  if (step.kind === 'moved') return step.to;
  return step.kind === 'ignored' ? '=' : 'x';
};

describe('a payment attempt, every state and event', () => {
  const rows = GRID.trim()
    .split('\n')
    .map((row) => row.split(/\s+/));

  it('is in the table completely', () => {
    expect(COLUMNS.split(' ')).toEqual(paymentEvents);
    expect(rows.map(([state]) => state)).toEqual(paymentStates);
  });

  test.each(paymentStates)('%s', (state) => {
    const row = rows.find(([name]) => name === state)?.slice(1);
    expect(paymentEvents.map((event) => outcome(state, event))).toEqual(row);
  });

  it('comes along the ways of the design', () => {
    const ways: readonly (readonly [PaymentEvent[], PaymentState])[] = [
      [['redirect', 'capture'], 'completed'],
      [['redirect', 'hold', 'capture'], 'completed'],
      [['redirect', 'authorise', 'capture'], 'completed'],
      [['redirect', 'decline'], 'failed'],
      [['redirect', 'cancel'], 'cancelled'],
      [['redirect', 'expire'], 'expired'],
      [['capture'], 'completed'],
      [['capture', 'refund_part', 'refund_part', 'refund_rest'], 'refunded'],
      [['redirect', 'decline', 'capture', 'adopt'], 'completed'],
      [['redirect', 'cancel', 'capture', 'refund_rest'], 'refunded'],
      [['redirect', 'expire', 'capture', 'adopt', 'refund_rest'], 'refunded'],
      [['redirect', 'capture_again', 'refund_rest'], 'refunded'],
    ];
    for (const [events, end] of ways) expect(run(events)).toBe(end);
  });

  it('ignores an event repeated at once', () => {
    for (const state of paymentStates) {
      for (const event of paymentEvents) {
        const step = advanceAttempt(state, event);
        if (step.kind === 'moved')
          expect(advanceAttempt(step.to, event)).toEqual({ kind: 'ignored' });
      }
    }
  });
});

/** Applies events in order; ignored and refused ones leave the state. */
function run(events: readonly PaymentEvent[], from: PaymentState = 'created'): PaymentState {
  let state = from;
  for (const event of events) {
    const step = advanceAttempt(state, event);
    if (step.kind === 'moved') state = step.to;
  }
  return state;
}

/** Events that may arrive, in any order, for an order that nothing else has paid. */
const reports = [
  'redirect',
  'hold',
  'authorise',
  'capture',
  'decline',
  'cancel',
  'expire',
] as const;

/** As in settlement: a late capture pays its unpaid order at once. */
function settled(events: readonly PaymentEvent[]): PaymentState {
  return run(events.flatMap((event) => (event === 'capture' ? [event, 'adopt'] : [event])));
}

describe('reports in any order', () => {
  const shuffled = fc.subarray([...reports]).chain((events) =>
    fc.tuple(
      fc.constant(events),
      fc.shuffledSubarray([...events, ...events], { minLength: 0 }).map((extra) => extra),
      fc.shuffledSubarray(events, { minLength: events.length }),
      fc.shuffledSubarray(events, { minLength: events.length }),
    ),
  );

  it('and any number end in the same state', () => {
    fc.assert(
      fc.property(shuffled, ([, repeated, one, other]) => {
        expect(settled([...one, ...repeated])).toBe(settled(other));
      }),
      { numRuns: 2000 },
    );
  });

  it('end in the same state for all orders of all sets', () => {
    for (let chosen = 0; chosen < 2 ** reports.length; chosen += 1) {
      const set = reports.filter((_, index) => chosen & (2 ** index));
      if (set.length > 5) continue;
      const ends = new Set(permutations(set).map(settled));
      expect([set, [...ends]]).toEqual([set, [settled(set)]]);
    }
  });

  it('with a capture among them always pay the unpaid order', () => {
    fc.assert(
      fc.property(shuffled, ([events, repeated, one]) => {
        const end = settled([...one, ...repeated]);
        expect(isPaid(end)).toBe(events.includes('capture'));
      }),
    );
  });

  it('never pay an order that another capture has paid', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...reports)), fc.nat(20), (events, position) => {
        const second = events.map((event) => (event === 'capture' ? 'capture_again' : event));
        second.splice(position, 0, 'capture_again');
        expect(run(second)).toBe('captured_late');
      }),
    );
  });

  it('without a word from the provider never pay', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...paymentEvents)), (events) => {
        const end = run(events);
        const captured = events.some((event) => event === 'capture' || event === 'capture_again');
        if (!captured) expect(mayRefund(end) || end === 'refunded').toBe(false);
      }),
    );
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

describe('what a state means', () => {
  test.each<[PaymentState, boolean, boolean, boolean]>([
    ['created', true, false, false],
    ['redirected', true, false, false],
    ['pending', true, false, false],
    ['authorised', true, false, false],
    ['completed', false, true, true],
    ['failed', false, false, false],
    ['cancelled', false, false, false],
    ['expired', false, false, false],
    ['captured_late', false, false, true],
    ['partially_refunded', false, true, true],
    ['refunded', false, false, false],
  ])('%s: open %s, paid %s, refundable %s', (state, open, paid, refundable) => {
    expect(isOpen(state)).toBe(open);
    expect(isDecided(state)).toBe(!open);
    expect(isPaid(state)).toBe(paid);
    expect(mayRefund(state)).toBe(refundable);
  });

  it('is open exactly for those the sweep asks about', () => {
    expect(paymentStates.filter(isOpen)).toEqual(openStates);
  });

  it('is never open again once decided, and refunded is the end', () => {
    for (const from of paymentStates.filter(isDecided)) {
      for (const to of openStates) expect(paymentMachine.canReach(from, to)).toBe(false);
    }
    for (const to of paymentStates) {
      expect(paymentMachine.canReach('refunded', to)).toBe(to === 'refunded');
    }
  });
});

/** The whole table: state × event → state; null is not possible. */
const expected = {
  held: { release: 'requested', withdraw: 'withdrawn' },
  requested: {
    undo: 'withdrawn',
    send: 'sent',
    wait: 'pending',
    complete: 'completed',
    fail: 'failed',
  },
  sent: { wait: 'pending', complete: 'completed', fail: 'failed' },
  pending: { complete: 'completed', fail: 'failed' },
  completed: {},
  failed: {},
  withdrawn: {},
} as const;

describe('a refund', () => {
  it.each(refundStates.flatMap((state) => refundEvents.map((event) => [state, event] as const)))(
    '%s on %s',
    (state, event) => {
      const to = Object.entries(expected[state]).find(([name]) => name === event)?.[1] ?? null;
      expect(refundMachine.next(state, event)).toBe(to);
    },
  );

  it('sends nothing that somebody still has to release', () => {
    expect(refundMachine.next('held', 'send')).toBeNull();
    expect(isMoving('held')).toBe(false);
  });

  it('claims its part until it failed or was withdrawn', () => {
    expect(refundStates.filter((state) => !isClaiming(state))).toEqual(['failed', 'withdrawn']);
  });
});
