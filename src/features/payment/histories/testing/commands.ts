import fc from 'fast-check';
import { expect } from 'vitest';
import { isOpen } from '../../machine.ts';
import type { ProviderEvent } from '../../provider.ts';
import { expectEnd, expectInvariants, type System } from './systems.ts';
import type {
  BeginMood,
  HistoryPartner,
  RefundMood,
  PartnerDecision,
  WrongEvent,
} from './partner.ts';

type Step = fc.AsyncCommand<HistoryPartner, System>;

const step = (
  name: string,
  play: (partner: HistoryPartner, system: System) => Promise<void>,
): Step => ({
  check: () => true,
  toString: () => name,
  run: async (partner, system) => {
    await play(partner, system);
    expectInvariants(await system.look(), partner);
  },
});

const attemptAt = async (system: System, which: number) => {
  const { attempts } = await system.look();
  return attempts[which % Math.max(attempts.length, 1)];
};

const wordsOf = (partner: HistoryPartner): ProviderEvent[] =>
  [...partner.payments.values()].flatMap(({ words }) => words);

/** Delivers an event twice: the repetition must change nothing. */
async function deliver(
  partner: HistoryPartner,
  system: System,
  word: ProviderEvent,
): Promise<void> {
  const before = await system.look();
  const known = before.inbox.find(
    ({ eventId, attemptId }) => eventId === word.eventId && attemptId,
  );
  const result = await system.deliver(word);
  if (!known) return;
  expect(['duplicate', 'wrong_amount', 'capture_reused']).toContain(result);
  expect(await system.look()).toEqual(before);
  expectInvariants(before, partner);
}

const starts = fc
  .constantFrom<BeginMood>('fine', 'fine', 'fine', 'lost', 'error', 'refused')
  .map((mood) =>
    step(`start(${mood})`, async (partner, system) => {
      partner.moods.begin = mood;
      await system.start();
      partner.moods.begin = 'fine';
    }),
  );

const decisions = fc
  .tuple(
    fc.nat({ max: 3 }),
    fc.constantFrom<PartnerDecision>(
      'hold',
      'authorise',
      'decline',
      'cancel',
      'capture',
      'capture',
    ),
    fc.boolean(),
  )
  .map(([which, decision, isNotified]) =>
    step(`${decision}(${which}${isNotified ? '' : ', silently'})`, async (partner, system) => {
      const attempt = await attemptAt(system, which);
      if (!attempt) return;
      partner.decide(attempt.id, decision);
      const word = partner.payments.get(attempt.id)?.words.at(-1);
      if (word && isNotified) await deliver(partner, system, word);
    }),
  );

const deliveries = fc.nat({ max: 9 }).map((which) =>
  step(`deliver(${which})`, async (partner, system) => {
    const words = wordsOf(partner);
    const word = words[which % Math.max(words.length, 1)];
    if (word) await deliver(partner, system, word);
  }),
);

const together = fc.nat({ max: 9 }).map((which) =>
  step(`deliver all at once(${which})`, async (partner, system) => {
    const words = wordsOf(partner);
    const turned = [...words.slice(which), ...words];
    await Promise.all(turned.slice(0, 4).map((word) => system.deliver(word)));
  }),
);

const resultOf: Record<WrongEvent, string> = {
  amount: 'wrong_amount',
  no_amount: 'wrong_amount',
  capture: 'capture_reused',
  reference: 'unknown_reference',
};

const wrongs = fc
  .tuple(
    fc.nat({ max: 3 }),
    fc.constantFrom<WrongEvent>('amount', 'no_amount', 'capture', 'reference'),
  )
  .map(([which, wrong]) =>
    step(`say wrongly(${which}, ${wrong})`, async (partner, system) => {
      const attempt = await attemptAt(system, which);
      if (!attempt) return;
      const { attempts, paidBy } = await system.look();
      // The capture of another attempt, which an event about this one must not claim.
      const taken = attempts.find(({ id, captureId }) => id !== attempt.id && captureId)?.captureId;
      if (wrong === 'capture' && !taken) return;
      const result = await system.deliver(partner.wrongWord(attempt.id, wrong, taken ?? null));
      expect(result).toBe(resultOf[wrong]);
      expect(await system.look()).toMatchObject({ attempts, paidBy });
    }),
  );

const waits = fc.constantFrom(1, 5, 45, 200, 1500).map((minutes) =>
  step(`wait(${minutes} minutes)`, async (partner, system) => {
    const before = await system.look();
    await system.wait(minutes);
    if (!partner.moods.isAway) return;
    // No answer never means failed.
    const after = await system.look();
    for (const { id, state } of before.attempts) {
      if (isOpen(state)) expect(after.attempts.find((seen) => seen.id === id)?.state).toBe(state);
    }
  }),
);

const absences = fc.boolean().map((isAway) =>
  step(isAway ? 'partner goes away' : 'partner comes back', async (partner) => {
    partner.moods.isAway = isAway;
  }),
);

const refunds = fc
  .tuple(
    fc.nat({ max: 3 }),
    fc.constantFrom(1, 20_00, 60_00, 94_00, 94_01),
    fc.constantFrom<RefundMood>('fine', 'lost', 'error', 'refused', 'pending'),
    fc.boolean(),
  )
  .map(([which, minor, mood, isSent]) =>
    step(
      `refund(${which}, ${minor}, ${mood}${isSent ? '' : ', later'})`,
      async (partner, system) => {
        const attempt = await attemptAt(system, which);
        if (!attempt) return;
        await system.refund(attempt.id, minor);
        partner.moods.refund = mood;
        if (isSent) await system.sendRefunds();
        partner.moods.refund = 'fine';
      },
    ),
  );

const decidedRefunds = fc
  .constantFrom('completed' as const, 'failed' as const)
  .map((state) =>
    step(`pending refunds are ${state}`, async (partner) => partner.decideRefunds(state)),
  );

export const historySteps = [
  starts,
  decisions,
  decisions,
  deliveries,
  together,
  wrongs,
  waits,
  absences,
  refunds,
  decidedRefunds,
];

/** Delivers all events, lets time pass, and checks the end state. */
export async function finishHistory(partner: HistoryPartner, system: System): Promise<void> {
  partner.moods.isAway = false;
  // A payment that the provider holds stays open.
  for (const [id, { decision }] of partner.payments) {
    if (decision === 'hold' || decision === 'authorise') partner.decide(id, 'decline');
  }
  for (const word of wordsOf(partner)) await system.deliver(word);
  partner.decideRefunds('completed');
  // First past the time of attempts unknown to the provider, then past expiry, then past the next question about
  // refunds.
  for (const minutes of [125, 1500, 65]) await system.wait(minutes);
  const sight = await system.look();
  expectInvariants(sight, partner);
  expectEnd(sight, partner);
}
