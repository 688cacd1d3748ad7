import { randomUUID } from 'node:crypto';
import { correctionAddress } from '../src/features/application/reopened.server.ts';
import { correctionsOf } from '../src/features/application/correction/correction-store.server.ts';
import type { Application } from '../src/features/application/store.server.ts';
import { askCorrection } from '../src/features/desk/application/ask-correction.server.ts';
import { decide } from '../src/features/desk/application/decide.server.ts';
import { addNote } from '../src/features/desk/application/notes.server.ts';
import { draft } from '../src/features/desk/application/draft.server.ts';
import { usd } from '../src/base/money.ts';
import { sectionVersion } from '../src/features/settings/decide.server.ts';
import { declineProposal, propose } from '../src/features/settings/proposals.server.ts';
import { readSettings } from '../src/features/settings/store.server.ts';
import {
  goodPdf,
  storeStaff,
  textPdf,
} from '../src/features/desk/application/testing/case-store.server.ts';
import { addFiles } from '../src/features/desk/several/batch.server.ts';
import { upload } from '../src/features/desk/application/uploads.server.ts';
import { insertPhoto } from '../src/features/insurance/store/photo-store.server.ts';
import type { Platform } from '../src/platform/platform.server.ts';
import {
  holdRefund,
  storeAlerts,
  storeColleagues,
  storeEmails,
  storeReports,
} from './desk-books.ts';
import { storeRequests } from './desk-requests.ts';
import { makeApplication, makeInsurance } from '../test/make.ts';

const HOUR_MS = 3600_000;

export type DeskCases = Awaited<ReturnType<typeof storeDeskCases>>;

/**
 * Applications in every state, as the desk shows them; names and numbers are invented. Some are late or due soon, and
 * so the most urgent ones: `daysLater` moves all promised moments, where other tests work at this desk.
 */
export async function storeDeskCases(platform: Platform, { daysLater = 0 } = {}) {
  const { db, sealer, files } = platform;
  const now = platform.now();
  const inHours = (hours: number) => new Date(now.getTime() + (hours + daysLater * 24) * HOUR_MS);
  const clerk = await storeStaff(platform, { name: 'E. Aydın' });
  const manager = await storeStaff(platform, { name: 'S. Kaya', role: 'manager' });
  const administrator = await storeStaff(platform, { name: 'D. Yılmaz', role: 'administrator' });

  /** A distinct person, because the same passport or email would be a possible duplicate. */
  const traveller = (firstName: string, lastName: string) => {
    const own = randomUUID().slice(0, 7);
    const email = `${firstName.toLowerCase().replace(/[^a-z]/g, '')}.${own}@traveller.example`;
    return { firstName, lastName, email, passportNumber: `N${own.toUpperCase()}` };
  };
  const rao = {
    ...traveller('Meera', 'Rao'),
    countryCode: 'IND',
    service: 'express' as const,
    email: 'meera.rao@travels-with-a-very-long-name.example',
    supportingDocumentNumber: 'D12345678',
  };
  const pending = await makeApplication(platform, { ...rao, promisedAt: inHours(2.2) });
  const twin = await makeApplication(platform, {
    ...rao,
    service: 'standard',
    promisedAt: inHours(90),
  });
  const late = await makeApplication(platform, {
    ...traveller('João', 'Fernandes'),
    countryCode: 'CPV',
    promisedAt: inHours(-0.5),
  });
  const soon = await makeApplication(platform, {
    ...traveller('Mohammed Abdulrahman', 'Al-Jubouri Al-Baghdadi'),
    countryCode: 'IRQ',
    service: 'urgent',
    promisedAt: inHours(0.6),
  });
  const ruiz = traveller('Sofía', 'Hernández Ruiz');
  const unpaid = await makeApplication(platform, { ...ruiz, paid: false });
  const campbell = traveller('Andre', 'Campbell');
  const processing = await makeApplication(platform, { ...campbell, promisedAt: inHours(30) });
  // Pending until they are decided below, so that nobody else at this desk is given one meanwhile.
  const storeSoon = (own: ReturnType<typeof traveller>) =>
    makeApplication(platform, { ...own, promisedAt: inHours(1) });
  const approved = await storeSoon(traveller('Yu-ting', 'Chen'));
  const bare = await storeSoon(traveller('Eleni', 'Ioannou'));
  const rejected = await storeSoon(traveller('Nuwan', 'Perera'));
  const waiting = await storeSoon(traveller('Awa', 'Ilboudo'));
  await makeInsurance(platform, { paid: true });
  const minor = await makeInsurance(platform, {
    dateOfBirth: '2014-02-28',
    firstName: 'Diego',
    paid: true,
  });
  for (const name of ['mother (1).jpg', 'a photograph with a rather long name of the father.jpg']) {
    const file = await files.put(Buffer.from(name), { mediaType: 'image/jpeg' });
    const photo = { id: randomUUID(), name, contentHash: Buffer.from(name) };
    const named = { ...photo, fileId: file.id, size: 1_840_000 };
    await insertPhoto(db, sealer, { applicationId: minor.id }, named, now);
  }

  const done = async <T extends { ok: boolean }>(outcome: Promise<T>) => {
    const found = await outcome;
    if (!found.ok) throw new Error(JSON.stringify(found));
    return found;
  };
  await done(decide(platform, clerk, { kind: 'start_processing', applicationId: processing.id }));
  const pdf = await upload(platform, clerk, goodPdf());
  if (!pdf.ok) throw new Error(pdf.error);
  await done(
    decide(platform, clerk, { kind: 'approve', applicationId: approved.id, fileId: pdf.value.id }),
  );
  await done(decide(platform, clerk, { kind: 'approve', applicationId: bare.id }));
  await done(
    decide(platform, clerk, {
      kind: 'reject',
      applicationId: rejected.id,
      code: 'details_differ',
      reason: 'The passport page shows another surname.',
    }),
  );
  const corrected = { fields: ['firstName', 'passportExpiryDate', 'phone', 'address'] };
  const asked = { note: 'Please write the name as the passport has it.', ...corrected };
  await done(askCorrection(platform, clerk, { applicationId: waiting.id, ...asked }));
  await done(
    askCorrection(platform, clerk, {
      applicationId: minor.id,
      fields: ['firstName', 'returnDate', 'parentIdPhotos'],
      note: 'The photograph of the mother’s identity card is too dark to read.',
    }),
  );

  for (const [by, typed] of [
    [clerk, 'Called the traveller: arrives with a group of eleven, same agency.'],
    [manager, 'Check the residence permit before approving.\n\nSee the reply of Monday.'],
  ] as const) {
    await done(addNote(platform, by, { id: randomUUID(), applicationId: pending.id, typed }));
  }
  await storeEmails(platform, pending, clerk);
  await holdRefund(platform, clerk, twin.number);
  await holdRefund(platform, administrator, processing.number);
  const batch = await addFiles(platform, administrator, {
    batchId: null,
    files: [
      new File([new Uint8Array(textPdf([rao.passportNumber, 'RAO', 'MEERA']))], 'e-visa 17.pdf'),
      new File([new Uint8Array(goodPdf('batch'))], `${soon.number} with a rather long name.pdf`),
      new File([new Uint8Array(goodPdf('unknown'))], 'scan 0001.pdf'),
      new File(['hello'], 'our letter.pdf'),
    ],
    tooLarge: ['family photos.pdf'],
    leftOut: 3,
  });
  if (!batch) throw new Error('The PDFs were not stored');
  const planned = await draft(platform, administrator, late, { kind: 'approve' });
  if (!planned.ok) throw new Error(planned.error.code);

  await storeAlerts(platform, rejected);
  await storeReports(platform, [approved, bare, rejected]);
  await storeColleagues(platform, administrator);
  const requests = await storeRequests(platform, administrator, { bare, pending });
  await proposePrice(platform);
  return {
    staff: { clerk, manager, administrator },
    numbers: { pending, unpaid, processing, approved, rejected, waiting, minor },
    requests,
    decision: `${late.number}/decision/${planned.value}`,
    batch: batch.id,
    /** The links in the emails to the two travellers. */
    corrections: {
      visa: await correctionPath(platform, waiting),
      insurance: await correctionPath(platform, minor),
    },
  };
}

/** A change of a price that waits for a second administrator, and one that was declined. */
async function proposePrice(platform: Platform): Promise<void> {
  const { db } = platform;
  const [author, reader] = [
    await storeStaff(platform, { name: 'K. Arslan', role: 'administrator' }),
    await storeStaff(platform, { name: 'L. Çelik', role: 'administrator' }),
  ];
  const now = platform.now();
  const quiet = async () => undefined;
  for (const minor of [79_00, 72_00]) {
    const proposed = await propose(
      db,
      {
        section: 'visa_prices',
        values: { evisa_fee: usd(minor) },
        validFrom: null,
        reason: 'Costs went up',
        staffId: author.id,
        seen: sectionVersion(await readSettings(db), 'visa_prices'),
        now,
      },
      () => true,
      quiet,
    );
    if (!proposed.ok) throw new Error(proposed.error);
    if (minor === 72_00) continue;
    const asked = { section: 'visa_prices', id: proposed.value, staffId: reader.id, now } as const;
    await declineProposal(db, { ...asked, why: 'Not before the holidays' }, quiet);
  }
}

/** The page of a traveller's latest correction, without its language. */
async function correctionPath(platform: Platform, found: Application): Promise<string> {
  const [correction] = await correctionsOf(platform.db, found.id);
  if (!correction) throw new Error(`Nothing was asked about ${found.number}`);
  return new URL(correctionAddress(platform, correction, found)).pathname.replace(/^\/\w\w\//, '/');
}
