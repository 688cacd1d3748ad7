import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { applicationById, insertApplication } from '~/features/application/store.server.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { linesOf } from '~/features/order/order-lines-store.server.ts';
import { insertOrder } from '~/features/order/new-order-store.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { usd } from '~/base/money.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { storeTogether } from '~/platform/postgres/store-together.server.ts';
import { onSaleAt } from '../store/on-sale.server.ts';
import { plans } from '../rules/plans.ts';
import { seedInsurance } from '../store/seed.server.ts';
import { insuranceDetailsOf } from '../store/store.server.ts';
import { makeDate } from '../../../../test/make.ts';
import { insuranceForVisa } from './with-visa.server.ts';
import { insuranceOffer } from './with-visa.ts';

const platform = await makeTestPlatform();
const { db, sealer } = platform;

beforeAll(() => seedAll(db, [seedCatalog, seedInsurance], platform.now()));

const traveller = {
  firstName: 'Thandi',
  lastName: 'Nkosi',
  email: 'thandi@mail.example',
  phone: '+27 31 555 0142',
  dateOfBirth: makeDate('1990-05-17'),
  nationality: 'ZAF',
  travelDocument: 'ordinary',
  passportNumber: 'A01234567',
  placeOfBirth: 'Durban',
};
const arrivalDate = makeDate('2027-01-15');
const sold = async () => onSaleAt(db, await currentSettings(db), platform.now());
const submission = { language: 'en', now: platform.now() };

describe('the offer beside an e-visa', () => {
  it.each([
    [30, '30-days'],
    [90, '90-days'],
  ])('for a stay of %i days suggests %s', (stayDays, id) => {
    const { dateOfBirth } = traveller;
    expect(insuranceOffer(plans, { dateOfBirth, arrivalDate, stayDays })).toEqual({
      plans,
      suggested: plans.find((plan) => plan.id === id),
    });
  });

  it('is not made to who is under 18 on arrival', () => {
    const dateOfBirth = makeDate('2009-01-16');
    expect(insuranceOffer(plans, { dateOfBirth, arrivalDate, stayDays: 30 })).toBeNull();
  });
});

describe('insurance added to a visa', () => {
  it('has a number of its own and is paid by the order of both', async () => {
    const orderNumber = 'TRG0000000000000';
    const onSale = await sold();
    const { taken, orderId } = await db.transaction(async (tx) => {
      const added = insuranceForVisa(
        sealer,
        onSale,
        { traveller, arrivalDate, planId: '30-days', orderNumber },
        submission,
      );
      if (!added.ok) throw new Error(added.error);
      const placed = await insertOrder(
        tx,
        {
          number: orderNumber,
          language: 'en',
          customer: { name: 'Thandi Nkosi', email: traveller.email },
          sessionHash: null,
          lines: [
            {
              applicationNumber: 'TRV0000000000000',
              code: 'evisa_fee',
              detail: null,
              amount: usd(94_00),
            },
            added.value.line,
          ],
        },
        platform.now(),
      );
      await storeTogether(tx, { rows: added.value.rows });
      await insertApplication(tx, {
        id: randomUUID(),
        kind: 'visa',
        number: 'TRV0000000000000',
        ...traveller,
        countryCode: 'ZAF',
        startsOn: arrivalDate,
        service: 'standard',
        orderNumber,
        amountMinor: 94_00,
        currency: 'USD',
        language: 'en',
        createdAt: platform.now(),
      });
      return { taken: added.value, orderId: placed.id };
    });
    expect(taken.applicationNumber).toMatch(/^TRI/);
    expect(await applicationById(db, taken.id)).toMatchObject({
      kind: 'insurance',
      orderNumber,
      service: '30-days',
      startsOn: '2027-01-15',
      amountMinor: 189_00,
    });
    expect(await insuranceDetailsOf(db, sealer, taken.id)).toMatchObject({
      passportNumber: 'A01234567',
      returnDate: '2027-02-13',
      coverUntil: '2027-02-13',
      tripDays: 30,
    });
    const lines = await linesOf(db, orderId);
    expect(lines.map(({ code, amountMinor }) => [code, amountMinor])).toEqual([
      ['evisa_fee', 94_00],
      ['insurance_plan', 189_00],
    ]);
  });

  it('is refused for an unknown plan and for a traveller under 18', async () => {
    const onSale = await sold();
    const refusal = (changes: { planId?: string; dateOfBirth?: string }) => {
      const dateOfBirth = makeDate(changes.dateOfBirth ?? '1990-05-17');
      const made = insuranceForVisa(
        sealer,
        onSale,
        {
          traveller: { ...traveller, dateOfBirth },
          arrivalDate,
          planId: changes.planId ?? '7-days',
          orderNumber: 'TRG0000000000001',
        },
        submission,
      );
      return made.ok ? null : made.error;
    };
    expect(refusal({ planId: '8-days' })).toBe('unknown_plan');
    expect(refusal({ dateOfBirth: '2012-02-29' })).toBe('minor');
    expect(refusal({})).toBeNull();
  });
});
