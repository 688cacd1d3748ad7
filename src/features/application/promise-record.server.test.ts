import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { makeApplication } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { makeNumber } from './number.ts';
import { promiseRecord } from './promise-record.server.ts';
import { application } from './tables.server.ts';

const NOW = new Date('2026-11-24T10:00:00Z');
const HOUR_MS = 3_600_000;
const hoursLater = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);

const platform = await makeTestPlatform({ now: NOW });
const { db } = platform;

/** Copies of one application that was promised for now; decided at that moment, an hour after it, or not at all. */
async function storePromised(number: number, decided: 'in time' | 'late' | 'never') {
  const { id } = await makeApplication(platform, { promisedAt: NOW });
  const decidedAt = hoursLater(decided === 'late' ? 1 : 0);
  const facts = decided === 'never' ? {} : ({ status: 'approved', decidedAt } as const);
  const isIt = eq(application.id, id);
  const [row] = await db
    .update(application)
    .set({ promisedAt: NOW, ...facts })
    .where(isIt)
    .returning();
  const { searchText: _, ...stored } = needed(row);
  for (let copies = 1; copies < number; copies += 1) {
    const copy = { ...stored, id: randomUUID(), number: makeNumber('TRV', randomBytes(12)) };
    await db.insert(application).values(copy);
  }
}

/** The record two hours after the last one, so that it is counted anew. */
const countedAnew = () => {
  platform.clock.set(new Date(platform.now().getTime() + 2 * HOUR_MS));
  return promiseRecord(platform);
};

test('the public record counts from a hundred promises on, late and undecided ones as missed, and rounds down', async () => {
  await storePromised(98, 'in time');
  await storePromised(1, 'late');
  expect(await countedAnew()).toBeNull();
  await storePromised(1, 'never');
  expect(await countedAnew()).toEqual({ due: 100, percent: 98 });
  // Not due yet, and counted again after an hour only.
  await makeApplication(platform, { promisedAt: hoursLater(1000) });
  await storePromised(302, 'in time');
  expect(await promiseRecord(platform)).toEqual({ due: 100, percent: 98 });
  // 400 of 402 are 99.5 %.
  expect(await countedAnew()).toEqual({ due: 402, percent: 99 });
  // What fell due more than a year ago is left out.
  platform.clock.set(hoursLater(366 * 24));
  expect(await promiseRecord(platform)).toBeNull();
});
