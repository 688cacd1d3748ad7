import {
  textPdf,
  type storeStaff,
} from '../src/features/desk/application/testing/case-store.server.ts';
import type { Traveller } from './apply.ts';
import type { Page } from './lale.ts';
import { randomUUID } from 'node:crypto';
import { openSourceModules, type SourceModules } from '../scripts/source-modules.ts';
import type { Platform } from '../src/platform/platform.server.ts';
import type { DeskCases } from './desk-cases.ts';
import type { ApplicationOptions } from '../test/make.ts';

/**
 * An e-visa as staff might upload it, with the application's number or the authority's, valid at any time: unless said
 * otherwise of a South African born on 2 May 1984.
 */
export const evisaPdf = (
  {
    nationality = 'South Africa',
    dateOfBirth = '02/05/1984',
    ...traveller
  }: Pick<Traveller, 'firstName' | 'lastName' | 'passportNumber'> & {
    nationality?: string;
    dateOfBirth?: string;
  },
  number: string,
): Buffer =>
  textPdf([
    'e-Visa',
    `Surname: ${traveller.lastName.toUpperCase()}`,
    `Given names: ${traveller.firstName.toUpperCase()}`,
    `Nationality: ${nationality.toUpperCase()}`,
    `Passport number: ${traveller.passportNumber}`,
    `Date of birth: ${dateOfBirth}`,
    'Valid from 01/01/2026 until 31/12/2030',
    `Reference: ${number}`,
  ]);

/** PDFs as they are dropped on a page, by their names. */
export const heldFiles = (page: Page, files: readonly { name: string; bytes: Buffer }[]) =>
  page.evaluateHandle(
    (sent) => {
      const transfer = new DataTransfer();
      for (const { fileName, base64 } of sent) {
        const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
        transfer.items.add(new File([bytes], fileName, { type: 'application/pdf' }));
      }
      return transfer;
    },
    files.map(({ name, bytes }) => ({ fileName: name, base64: bytes.toString('base64') })),
  );

/** Once for all journeys of a process, with which it ends: loading the service took longer than storing. */
let opened: Promise<SourceModules> | undefined;

/** Stores something for the running service, with the service's own functions. `load` takes a path from the project's root. */
async function store<Stored>(
  work: (platform: Platform, load: SourceModules['load']) => Promise<Stored>,
): Promise<Stored> {
  const { load } = await (opened ??= openSourceModules());
  const { withPlatform } = await load<typeof import('./desk-platform.ts')>('/e2e/desk-platform.ts');
  return withPlatform(process.env.E2E_DATA_DIR ?? '', (platform: Platform) => work(platform, load));
}

type Staff = Awaited<ReturnType<typeof storeStaff>>;

type StaffModule = typeof import('../src/features/desk/application/testing/case-store.server.ts');
type MakeModule = typeof import('../test/make.ts');
const STAFF = '/src/features/desk/application/testing/case-store.server.ts';
const MAKE = '/test/make.ts';

/** So that no other journey at this desk is given the application as the next one. */
const notDueForLong = (platform: Platform) =>
  new Date(platform.now().getTime() + 90 * 24 * 3600_000);

/** Stores applications in every state. */
export const seedDesk = (options?: { daysLater: number }): Promise<DeskCases> =>
  store(async (platform, load) => {
    const { storeDeskCases } = await load<typeof import('./desk-cases.ts')>('/e2e/desk-cases.ts');
    return storeDeskCases(platform, options);
  });

/** Stores one more administrator; returns the cookie of a session. */
export const storeAdministrator = (): Promise<string> =>
  store(async (platform, load) => {
    const { storeStaff } = await load<StaffModule>(STAFF);
    return (await storeStaff(platform, { role: 'administrator' })).cookie;
  });

/** Stores a reviewer and a manager, and a paid visa application that is not due for long. */
export const storeTeam = (): Promise<{
  clerk: Staff;
  manager: Staff;
  application: { number: string; email: string };
}> =>
  store(async (platform, load) => {
    const { storeStaff } = await load<StaffModule>(STAFF);
    const { makeApplication } = await load<MakeModule>(MAKE);
    const own = randomUUID().slice(0, 7);
    const application = await makeApplication(platform, {
      firstName: 'Andre',
      lastName: 'Campbell',
      email: `andre.${own}@traveller.example`,
      passportNumber: `N${own.toUpperCase()}`,
      promisedAt: notDueForLong(platform),
    });
    return {
      clerk: await storeStaff(platform, { name: 'E. Aydın' }),
      manager: await storeStaff(platform, { name: 'S. Kaya', role: 'manager' }),
      application,
    };
  });

/** Stores paid visa applications, and one of the staff; returns their numbers and a cookie. */
export const storeVisas = (
  people: readonly Pick<
    ApplicationOptions,
    'firstName' | 'lastName' | 'passportNumber' | 'language' | 'countryCode'
  >[],
): Promise<{ numbers: string[]; cookie: string }> =>
  store(async (platform, load) => {
    const { storeStaff } = await load<StaffModule>(STAFF);
    const { makeApplication } = await load<MakeModule>(MAKE);
    const numbers: string[] = [];
    const promisedAt = notDueForLong(platform);
    for (const person of people) {
      const email = `${randomUUID().slice(0, 8)}@traveller.example`;
      numbers.push((await makeApplication(platform, { ...person, email, promisedAt })).number);
    }
    const { cookie } = await storeStaff(platform, { name: 'E. Aydın' });
    return { numbers, cookie };
  });

/**
 * Stores `count` visa applications as travellers of eight nationalities fill them in, each spelt its own way, for the speed
 * "fast", which no other journey buys: the last two travel together, and the first has corrected an answer. Returns a
 * reviewer's cookie.
 */
export const storeShift = (count: number): Promise<string> =>
  store(async (platform, load) => {
    const { storeStaff } = await load<StaffModule>(STAFF);
    const { makePayment } = await load<MakeModule>(MAKE);
    const { applyForFamily, applyForVisa, makeTravellers } =
      await load<typeof import('../test/seed/purchases.ts')>('/test/seed/purchases.ts');
    const { makeChance, makeRandom } =
      await load<typeof import('../test/crash/random.ts')>('/test/crash/random.ts');
    const { askCorrection } = await load<
      typeof import('../src/features/desk/application/ask-correction.server.ts')
    >('/src/features/desk/application/ask-correction.server.ts');
    const { answerCorrection } = await load<
      typeof import('../src/features/desk/application/testing/answer-correction.server.ts')
    >('/src/features/desk/application/testing/answer-correction.server.ts');
    const reviewer = await storeStaff(platform);
    const speed = { speed: 'fast' };
    const traveller = makeTravellers(makeChance(makeRandom(34)), 34);
    const now = platform.now();
    const applications = [];
    for (let made = 2; made < count; made += 1) {
      applications.push(await applyForVisa(platform, traveller(now), speed));
    }
    const first = traveller(now);
    const companion = { ...traveller(now), countryCode: first.countryCode };
    applications.push(...(await applyForFamily(platform, [first, companion], speed)));
    for (const number of new Set(applications.map(({ orderNumber }) => orderNumber)))
      await makePayment(platform, { number });
    await platform.pool.query('update application set promised_at = $1 where number = any($2)', [
      notDueForLong(platform),
      applications.map(({ number }) => number),
    ]);
    const [{ id: applicationId } = { id: '' }] = applications;
    const note = 'Please add the number of the house.';
    await askCorrection(platform, reviewer, { applicationId, fields: ['address'], note });
    await answerCorrection(platform, applicationId, { address: '14b Marine Parade, Durban' });
    return reviewer.cookie;
  });

/** Makes one's sessions as old as if nothing had been opened for so many minutes. */
export const leaveSessionsIdle = (staffId: string, minutes: number): Promise<void> =>
  store(async ({ pool }) => {
    await pool.query(
      `update staff_session set seen_at = now() - $2 * interval '1 min' where account_id = $1`,
      [staffId, minutes],
    );
  });
