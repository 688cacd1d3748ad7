import { firstOffice } from '../../src/base/dates/office.ts';
import { nextOpening } from '../../src/base/dates/working-hours.ts';
import {
  rejectionCodesByKind,
  type RejectionCode,
} from '../../src/features/application/rejection.ts';
import {
  applicationById,
  applicationsByOrder,
  type Application,
} from '../../src/features/application/store.server.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { Staff } from '../../src/features/staff/staff.ts';
import { makeDesk } from './desk.ts';
import {
  applyForFamily,
  applyForVisa,
  insure,
  makePayers,
  type LivingService,
  type PurchaseOptions,
  makeTravellers,
  type Traveller,
} from './purchases.ts';
import type { Chance } from '../crash/random.ts';
import type { Story } from './seed-desk.ts';
import { needed } from '../needed.ts';

const worked = firstOffice;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const after = (at: Date, milliseconds: number) => new Date(at.getTime() + milliseconds);

export type Colleagues = { reviewers: readonly [Staff, ...Staff[]]; manager: Staff };

/** One kind of story: how many of 300 applications have it, and how many days ago it begins. */
export type StoryKind = {
  name: string;
  share: number;
  days: readonly [number, number];
  /** Applications that it makes. */
  applications: 1 | 2 | 3;
  tell: (begin: Date) => Story;
};

/**
 * All kinds of stories, for the story with this number. Each has a random generator of its own, so that it does not
 * depend on the others.
 */
export function storyKinds(
  service: LivingService,
  { chance, number }: { chance: Chance; number: number },
  { reviewers, manager }: Colleagues,
): readonly StoryKind[] {
  const { platform } = service;
  const { db, now } = platform;
  const payers = makePayers(service);
  const desk = makeDesk(platform);
  const traveller = makeTravellers(chance, number);
  const reviewer = () => chance.oneOf(reviewers);
  const soon = () => after(now(), chance.between(1, 12) * MINUTE);
  /** Some hours later, within working hours. */
  const atDesk = (low: number, high: number) => {
    const at = after(now(), chance.between(low, high) * HOUR);
    const open = nextOpening(at, worked);
    return open > at ? after(open, chance.between(1, 150) * MINUTE) : at;
  };
  const someProvider = (): ProviderName =>
    chance.oneOf(['card', 'card', 'card', 'paypal', 'stripe']);
  const someSpeed = () => chance.oneOf(['standard', 'standard', 'fast', 'express', 'urgent_24']);
  const purchaseOptions = (given: PurchaseOptions = {}): PurchaseOptions => ({
    speed: someSpeed(),
    later: chance.whole(3, 40),
    ...given,
  });

  type Steps<T> = AsyncGenerator<Date, T>;

  async function* appliesForVisa(begin: Date, given?: PurchaseOptions): Steps<Application> {
    yield begin;
    return applyForVisa(platform, traveller(now()), purchaseOptions(given));
  }

  async function* pays(found: Application, provider = someProvider()): Steps<Application> {
    yield soon();
    const attempt = await payers.begin(found.orderNumber, provider);
    yield soon();
    await payers.approve(attempt, provider);
    return needed(await applicationById(db, found.id));
  }

  async function* buysVisa(begin: Date, given?: PurchaseOptions): Steps<Application> {
    const found = yield* appliesForVisa(begin, given);
    return yield* pays(found);
  }

  /** Decisions come before the promised moment, within working hours. */
  async function* untilDecided(found: Application): Steps<void> {
    const at = atDesk(0.5, 30);
    const { promisedAt } = found;
    yield promisedAt && at >= promisedAt ? after(promisedAt, -5 * MINUTE) : at;
  }

  async function* approved(begin: Date, given?: PurchaseOptions): Steps<Application> {
    const found = yield* buysVisa(begin, given);
    yield* untilDecided(found);
    await desk.approveWithEvisa(reviewer(), found);
    return found;
  }

  const adult = () => traveller(now());
  const child = () => traveller(now(), { from: 4, to: 15 });
  async function* appliesForInsurance(
    begin: Date,
    who: () => Traveller,
    days = chance.whole(4, 28),
  ): Steps<Application> {
    yield begin;
    return insure(platform, who(), { inDays: chance.whole(8, 60), days });
  }
  async function* buysInsurance(
    begin: Date,
    who: () => Traveller,
    days?: number,
  ): Steps<Application> {
    const found = yield* appliesForInsurance(begin, who, days);
    return yield* pays(found);
  }

  /** A refund above a reviewer's limit; returns its id. */
  async function* dearRefund(begin: Date): Steps<string> {
    const found = yield* buysInsurance(begin, adult, 45);
    yield atDesk(0.5, 6);
    return desk.refund(reviewer(), found, 'overcharged');
  }

  async function* asksForAddress(begin: Date): Steps<Application> {
    const found = yield* buysVisa(begin, { speed: 'standard', later: 40 });
    yield atDesk(1, 8);
    await desk.ask(reviewer(), found, ['address'], 'Please add the number of the house.');
    return found;
  }

  /** Two adults and a child with a parent's address; the first one pays for all. */
  function family(): [Traveller, ...Traveller[]] {
    const first = adult();
    const home = {
      lastName: first.lastName,
      phone: first.phone,
      countryCode: first.countryCode,
      placeOfBirth: first.placeOfBirth,
      address: first.address,
      language: first.language,
    };
    return [first, { ...adult(), ...home }, { ...child(), ...home, email: first.email }];
  }

  /** Returns the visas of a family that has paid. */
  async function* buysForFamily(begin: Date): Steps<Application[]> {
    yield begin;
    const wanted = purchaseOptions({ speed: 'standard', later: 40 });
    const visas = await applyForFamily(platform, family(), wanted);
    yield* pays(needed(visas[0]));
    return applicationsByOrder(db, needed(visas[0]).orderNumber);
  }

  const nextReason = (kind: 'visa' | 'insurance'): RejectionCode => {
    const codes = rejectionCodesByKind(kind).filter((code) => code !== 'authorities_refused');
    return codes[number % codes.length] ?? 'other';
  };
  const reasonFor = (code: RejectionCode) =>
    code === 'other' ? 'The photograph shows another page of the passport.' : undefined;

  /** The provider's next refund fails that way, so no other may be pending. */
  async function refundWith(fault: 'refused' | 'pending', found: Application): Promise<void> {
    await service.runJobs();
    await payers.stage('card').faultRefund(fault);
    await desk.refund(manager, found, 'cancelled');
    await service.runJobs();
  }

  const of = (
    name: string,
    share: number,
    days: readonly [number, number],
    tell: (begin: Date) => Story,
    applications: 1 | 2 | 3 = 1,
  ): StoryKind => ({ name, share, days, applications, tell });

  return [
    // Waiting for staff.
    of('waits for a decision', 22, [0.05, 1.5], async function* (begin) {
      yield* buysVisa(begin);
    }),
    of(
      'is a family that waits',
      2,
      [0.1, 1.5],
      async function* (begin) {
        yield* buysForFamily(begin);
      },
      3,
    ),
    of(
      'is a family of which one is rejected',
      2,
      [8, 80],
      async function* (begin) {
        const [first, second, third] = yield* buysForFamily(begin);
        for (const found of [first, second]) {
          yield* untilDecided(needed(found));
          await desk.approveWithEvisa(reviewer(), needed(found));
        }
        yield atDesk(0.5, 3);
        await desk.reject(reviewer(), needed(third), 'details_differ');
      },
      3,
    ),
    of('is urgent', 4, [0.01, 0.06], async function* (begin) {
      yield* buysVisa(begin, { speed: 'urgent', later: 5 });
    }),
    of('is late', 3, [10, 12], async function* (begin) {
      yield* buysVisa(begin, { speed: 'fast' });
    }),
    of('waits with a note', 4, [0.6, 2], async function* (begin) {
      const found = yield* buysVisa(begin, { speed: 'standard', later: 40 });
      yield after(now(), 20 * MINUTE);
      const note = await desk.note(reviewer(), found, 'Rang: travels with a group of eleven.');
      yield after(now(), 30 * MINUTE);
      await desk.strike(manager, found, note, 'Belongs to another traveller.');
      await desk.note(manager, found, 'Check the residence permit before approving.');
    }),
    of('is in somebody’s hands', 2, [0.2, 0.4], async function* (begin) {
      const found = yield* buysVisa(begin, { speed: 'standard', later: 40 });
      yield after(begin, 24 * HOUR);
      await desk.claim(reviewer(), found);
    }),
    of('is at the authorities', 12, [3, 6], async function* (begin) {
      const found = yield* buysVisa(begin, { speed: 'standard', later: 40 });
      yield atDesk(1, 6);
      await desk.process(reviewer(), found);
    }),
    of('is put off', 2, [0.6, 2], async function* (begin) {
      const found = yield* buysVisa(begin, { speed: 'standard', later: 40 });
      yield atDesk(1, 3);
      await desk.putOff(reviewer(), found);
    }),
    // Corrections.
    of('is asked for a correction', 8, [3, 6], async function* (begin) {
      yield* asksForAddress(begin);
    }),
    of('has corrected and waits', 3, [3, 5], async function* (begin) {
      const found = yield* asksForAddress(begin);
      yield after(now(), chance.between(1, 5) * HOUR);
      await desk.answer(found, '12 Marine Parade, Flat 4, 4001 Durban');
    }),
    of('has corrected and is approved', 7, [20, 85], async function* (begin) {
      const found = yield* asksForAddress(begin);
      yield after(now(), chance.between(2, 60) * HOUR);
      await desk.answer(found, '7 Laxmi Road, House 3, Pune');
      yield* untilDecided(needed(await applicationById(db, found.id)));
      await desk.approveWithEvisa(reviewer(), found);
    }),
    of('was asked by mistake', 2, [20, 85], async function* (begin) {
      const found = yield* asksForAddress(begin);
      yield after(now(), 25 * MINUTE);
      await desk.withdrawQuestion(manager, found);
      yield atDesk(1, 5);
      await desk.approve(reviewer(), found);
    }),
    of('never answered', 2, [45, 80], async function* (begin) {
      const found = yield* asksForAddress(begin);
      yield atDesk(30 * 24, 31 * 24);
      await desk.reject(reviewer(), found, 'details_differ');
    }),
    // Decided.
    of('is approved with its e-visa', 60, [7, 90], async function* (begin) {
      yield* approved(begin);
    }),
    of('is approved, and its e-visa follows', 24, [7, 90], async function* (begin) {
      const found = yield* buysVisa(begin);
      yield* untilDecided(found);
      await desk.approve(reviewer(), found);
      yield atDesk(1, 4);
      await desk.attachEvisa(reviewer(), found);
    }),
    of('is approved, and its e-visa is missing', 4, [4, 8], async function* (begin) {
      const found = yield* buysVisa(begin, { speed: 'standard', later: 40 });
      yield* untilDecided(found);
      await desk.approve(reviewer(), found);
    }),
    of('is approved, the e-visa comes later', 6, [12, 90], async function* (begin) {
      const found = yield* buysVisa(begin, { speed: 'standard', later: 40 });
      yield atDesk(1, 8);
      await desk.process(reviewer(), found);
      yield atDesk(4, 20);
      await desk.approve(reviewer(), found);
      yield atDesk(2, 20);
      await desk.attachEvisa(reviewer(), found);
    }),
    of('has another e-visa by now', 2, [20, 80], async function* (begin) {
      const found = yield* approved(begin);
      yield atDesk(20, 60);
      await desk.attachEvisa(manager, found);
    }),
    of('is rejected', 18, [7, 90], async function* (begin) {
      const found = yield* buysVisa(begin);
      yield* untilDecided(found);
      const code = nextReason('visa');
      await desk.reject(reviewer(), found, code, reasonFor(code));
    }),
    of('is refused by the authorities', 3, [20, 90], async function* (begin) {
      const found = yield* buysVisa(begin, { speed: 'standard', later: 40 });
      yield atDesk(1, 8);
      await desk.process(reviewer(), found);
      yield atDesk(8, 30);
      await desk.reject(reviewer(), found, 'authorities_refused');
    }),
    // Unpaid, or not paid at once.
    of('is left unpaid', 9, [0.05, 40], async function* (begin) {
      yield* appliesForVisa(begin);
    }),
    of('turns back at the payment page', 5, [0.1, 40], async function* (begin) {
      const found = yield* appliesForVisa(begin);
      const provider = someProvider();
      yield soon();
      const attempt = await payers.begin(found.orderNumber, provider);
      yield soon();
      await payers.cancel(attempt, provider);
    }),
    of('closes the payment page', 3, [0.01, 10], async function* (begin) {
      const found = yield* appliesForVisa(begin);
      yield soon();
      await payers.begin(found.orderNumber);
    }),
    of('has its card declined', 6, [0.1, 40], async function* (begin) {
      const found = yield* appliesForVisa(begin);
      for (let tries = 0; tries < 2; tries += 1) {
        yield soon();
        const attempt = await payers.begin(found.orderNumber);
        yield soon();
        await payers.decline(attempt);
      }
    }),
    of('pays at the other partner', 6, [10, 90], async function* (begin) {
      const found = yield* appliesForVisa(begin);
      yield soon();
      const attempt = await payers.begin(found.orderNumber);
      yield soon();
      await payers.decline(attempt);
      const paid = yield* pays(found, 'paypal');
      yield* untilDecided(paid);
      await desk.approveWithEvisa(reviewer(), paid);
    }),
    of('pays twice', 2, [10, 60], async function* (begin) {
      const found = yield* appliesForVisa(begin);
      yield soon();
      const first = await payers.begin(found.orderNumber);
      yield soon();
      await payers.cancel(first);
      const paid = yield* pays(found, 'card');
      yield soon();
      await payers.stage('card').captureAfterAll(first);
      yield* untilDecided(paid);
      await desk.approve(reviewer(), paid);
    }),
    of('waits for the partner', 2, [0.05, 0.4], async function* (begin) {
      const found = yield* appliesForVisa(begin);
      yield soon();
      const attempt = await payers.begin(found.orderNumber, 'paypal');
      yield soon();
      await payers.approvePending(attempt);
    }),
    // Refunds.
    of('cancels and gets it back', 6, [10, 90], async function* (begin) {
      const found = yield* buysVisa(begin, { speed: 'standard', later: 40 });
      yield after(now(), 20 * MINUTE);
      await desk.refund(manager, found, 'cancelled');
    }),
    // A nightly job refunds it.
    of('was late and gets a part back', 4, [30, 90], async function* (begin) {
      const found = yield* buysVisa(begin, { speed: 'fast', later: 30 });
      yield nextOpening(after(needed(found.promisedAt), chance.between(1, 20) * HOUR), worked);
      await desk.approveWithEvisa(reviewer(), found);
    }),
    of('was charged too much', 2, [10, 80], async function* (begin) {
      const found = yield* approved(begin);
      yield atDesk(2, 30);
      await desk.refund(manager, found, 'overcharged');
    }),
    of('has a refund that waits for a release', 3, [2, 5], async function* (begin) {
      yield* dearRefund(begin);
    }),
    of('has a refund that was released', 3, [10, 80], async function* (begin) {
      const refund = yield* dearRefund(begin);
      yield atDesk(1, 6);
      await desk.release(manager, refund);
    }),
    of('has a refund that was taken back', 2, [10, 80], async function* (begin) {
      const refund = yield* dearRefund(begin);
      yield atDesk(1, 6);
      await desk.withdrawRefund(manager, refund);
    }),
    of('has a refund that its bank refused', 2, [2, 8], async function* (begin) {
      const applied = yield* appliesForVisa(begin, { speed: 'standard', later: 40 });
      const found = yield* pays(applied, 'card');
      yield after(now(), 15 * MINUTE);
      await refundWith('refused', found);
    }),
    of('has a refund on its way', 2, [0.2, 1], async function* (begin) {
      const applied = yield* appliesForVisa(begin, { speed: 'standard', later: 40 });
      const found = yield* pays(applied, 'card');
      yield after(now(), 15 * MINUTE);
      await refundWith('pending', found);
    }),
    // Emails and possible duplicates.
    of('has another e-mail address by now', 2, [12, 80], async function* (begin) {
      const found = yield* approved(begin);
      yield atDesk(5, 30);
      await desk.correctEmail(reviewer(), found, `corrected.${found.email}`);
    }),
    of('is sent an e-mail again', 3, [12, 80], async function* (begin) {
      const found = yield* approved(begin);
      yield atDesk(5, 30);
      await desk.resend(reviewer(), found);
    }),
    ...[true, false].map((isDismissed) =>
      of(
        isDismissed ? 'looked like another, and is not' : 'looks like another',
        1,
        [4, 6],
        async function* (begin) {
          yield begin;
          const who = traveller(now());
          const [wanted, also] = [
            purchaseOptions({ speed: 'standard' }),
            purchaseOptions({ speed: 'standard' }),
          ];
          const one = yield* pays(await applyForVisa(platform, who, wanted));
          yield after(now(), HOUR);
          const other = yield* pays(
            await applyForVisa(platform, who, { ...also, later: wanted.later }),
          );
          yield after(now(), HOUR);
          if (isDismissed) await desk.dismiss(reviewer(), one, other);
        },
        2,
      ),
    ),
    // Insurance.
    of('is insured', 20, [1, 90], async function* (begin) {
      yield* buysInsurance(begin, adult);
    }),
    of('leaves the insurance unpaid', 3, [0.1, 30], async function* (begin) {
      yield* appliesForInsurance(begin, adult);
    }),
    of('is under age and waits', 3, [0.1, 1], async function* (begin) {
      yield* buysInsurance(begin, child);
    }),
    of('is under age and insured', 4, [10, 90], async function* (begin) {
      const found = yield* buysInsurance(begin, child);
      yield* untilDecided(found);
      await desk.approve(reviewer(), found);
    }),
    of('is under age and asked for another photo', 2, [3, 6], async function* (begin) {
      const found = yield* buysInsurance(begin, child);
      yield atDesk(1, 6);
      await desk.ask(reviewer(), found, ['parentIdPhotos'], 'The card is too dark to read.');
    }),
    of('is not insured, the premium goes back', 3, [10, 90], async function* (begin) {
      const found = yield* buysInsurance(begin, child);
      yield* untilDecided(found);
      await desk.reject(reviewer(), found, 'parent_id_unreadable');
    }),
    of('cancels the insurance', 3, [10, 60], async function* (begin) {
      const found = yield* buysInsurance(begin, adult);
      yield atDesk(2, 20);
      await desk.refund(manager, found, 'cancelled');
    }),
    // Both in one order.
    of(
      'buys a visa and an insurance together',
      8,
      [7, 90],
      async function* (begin) {
        yield* approved(begin, { along: true });
      },
      2,
    ),
    of(
      'leaves both unpaid',
      1,
      [0.2, 20],
      async function* (begin) {
        yield* appliesForVisa(begin, { along: true });
      },
      2,
    ),
    of(
      'keeps the visa of two',
      1,
      [10, 60],
      async function* (begin) {
        const found = yield* approved(begin, { along: true, later: 30 });
        yield atDesk(1, 8);
        const both = await applicationsByOrder(db, found.orderNumber);
        const insurance = needed(both.find(({ kind }) => kind === 'insurance'));
        await desk.refund(manager, insurance, 'cancelled');
      },
      2,
    ),
  ];
}
