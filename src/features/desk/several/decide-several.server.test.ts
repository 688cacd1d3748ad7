import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { maskNumber } from '~/features/application/document-number.ts';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { deleteUnusedUploads } from '../application/uploads.server.ts';
import { decideApplication } from '../application/decide.server.ts';
import { DEFAULT_UNDO_SECONDS } from '~/features/staff/staff.ts';
import { claimApplication } from '../application/claim.server.ts';
import { goodPdf, storeStaff, textPdf } from '../application/testing/case-store.server.ts';
import { undoDecision } from '../application/undo.server.ts';
import { undoableDecisions } from '../application/undo-record.server.ts';
import { addFiles, ownBatch, deleteBatches, batchFiles, type PdfBatch } from './batch.server.ts';
import { approveTicked, chooseTyped, type SeveralOutcome } from './decide-several.server.ts';
import { MAX_BATCH_FILES } from '../application/pdf-rules.ts';
import { openBatchView, type BatchFileView } from './batch-view.server.ts';
import { needed } from '../../../../test/needed.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const kaya = await storeStaff(platform, { name: 'M. Kaya' });

let passports = 0;
/** An application of somebody with a passport that nobody else has. */
const newCase = (given: Parameters<typeof makeApplication>[1] = {}) =>
  makeApplication(platform, { passportNumber: `B${1_000_000 + ++passports}`, ...given });
const passportOf = () => `B${1_000_000 + passports}`;

const pdfFile = (name: string, bytes: Buffer) => new File([new Uint8Array(bytes)], name);
const evisa = ({ firstName, lastName }: Application, passport: string) =>
  textPdf([`Surname ${lastName}`, `Names ${firstName}`, `Passport ${passport}`, '02/05/1984']);

const added = async (files: File[], batchId: string | null = null) =>
  needed(await addFiles(platform, aydin, { batchId, files, tooLarge: [], leftOut: 0 }));

const shown = async (batch: PdfBatch): Promise<BatchFileView[]> =>
  (await openBatchView(platform, aydin, batch, 'en')).files;

/** What a browser sends with everything that can be ticked ticked. */
async function formFor(batch: PdfBatch, { ticks }: { ticks?: 'safe' } = {}): Promise<FormData> {
  const form = new FormData();
  for (const one of await shown(batch)) {
    if (one.kind !== 'waiting') continue;
    const [first] = one.choices;
    for (const { number, status } of one.choices) form.set(`seen-${number}`, status);
    if (!first) continue;
    form.set(`application-${one.id}`, first.number);
    if (one.isSafe) form.set(`tick-${one.id}`, 'yes');
    else if (ticks !== 'safe') form.set(`tick-${one.id}`, 'compared');
  }
  return form;
}

const approve = (batch: PdfBatch, form: FormData): Promise<SeveralOutcome[]> =>
  approveTicked(platform, aydin, { batch, form, language: 'en' });

const statusOf = async ({ id }: Application) => needed(await applicationById(db, id)).status;
const kinds = (outcomes: readonly SeveralOutcome[]) =>
  outcomes.map((one) => ('done' in one ? one.done : one.error.code));

test('of three files two are approved, by their text and by a name, and the third stays', async () => {
  const first = await newCase();
  const batch = await added([pdfFile('1.pdf', evisa(first, passportOf()))]);
  const second = await newCase();
  await added([pdfFile(`${second.number}.pdf`, goodPdf('no text'))], batch.id);
  await added([pdfFile('3.pdf', textPdf(['hello']))], batch.id);
  expect((await shown(batch)).map((one) => one.kind === 'waiting' && one.match)).toEqual([
    'exact',
    'likely',
    'nothing',
  ]);
  // What nobody has looked at is ticked only where everything agrees.
  const safe = await formFor(batch, { ticks: 'safe' });
  expect([...safe.keys()].filter((name) => name.startsWith('tick-'))).toHaveLength(1);

  const outcomes = await approve(batch, await formFor(batch));
  expect(kinds(outcomes)).toEqual(['approved', 'approved']);
  expect([await statusOf(first), await statusOf(second)]).toEqual(['approved', 'approved']);
  expect((await shown(batch)).map(({ kind }) => kind)).toEqual(['used', 'used', 'waiting']);
  const actions = (await auditEntriesBySubject(db, { kind: 'application', id: first.id })).map(
    ({ action }) => action,
  );
  expect(actions).toEqual(expect.arrayContaining(['application_viewed', 'approved']));

  // Each can be undone by itself; its file then waits again.
  const decisions = await undoableDecisions(db, aydin, platform.now());
  const ofFirst = needed(decisions.find(({ number }) => number === first.number));
  expect((await undoDecision(platform, aydin, ofFirst.id)).ok).toBe(true);
  expect((await shown(batch)).map(({ kind }) => kind)).toEqual(['waiting', 'used', 'waiting']);
  expect(await statusOf(first)).toBe('pending');
});

test('what somebody else decided or works on meanwhile is refused alone', async () => {
  const files: File[] = [];
  const cases: Application[] = [];
  for (let count = 0; count < 3; count++) {
    const one = await newCase();
    cases.push(one);
    files.push(pdfFile(`${count}.pdf`, evisa(one, passportOf())));
  }
  const [decided, taken, free] = cases;
  const batch = await added(files);
  const form = await formFor(batch);
  await decideApplication(platform, kaya, {
    kind: 'reject',
    applicationId: needed(decided).id,
    reason: 'The photo',
  });
  await claimApplication(platform, kaya, needed(taken).id);
  const outcomes = await approve(batch, form);
  expect(outcomes).toMatchObject([
    { error: { code: 'stale', status: 'rejected' } },
    { error: { code: 'claimed', name: 'M. Kaya' } },
    { done: 'approved', application: { number: needed(free).number } },
  ]);
  const view = await shown(batch);
  expect(view.map((one) => one.kind === 'waiting' && one.choices[0]?.obstacle?.code)).toEqual([
    'decided',
    'claimed',
    false,
  ]);
});

test('two forms at once approve once', async () => {
  const one = await newCase();
  const batch = await added([pdfFile('1.pdf', evisa(one, passportOf()))]);
  const form = await formFor(batch);
  const both = (await Promise.all([approve(batch, form), approve(batch, form)])).flat();
  expect(both.filter((outcome) => 'done' in outcome)).toHaveLength(1);
});

test('a file that names somebody else is refused unless somebody says that they have compared it', async () => {
  const one = await newCase({ firstName: 'Anna' });
  const other = { ...one, firstName: 'Bela' };
  const batch = await added([pdfFile(`${one.number}.pdf`, evisa(other, passportOf()))]);
  const [view] = await shown(batch);
  expect(view).toMatchObject({ match: 'likely', isSafe: false });
  const form = await formFor(batch);
  form.set(`tick-${needed(view).id}`, 'yes');
  expect(await approve(batch, form)).toMatchObject([{ error: { code: 'document_differs' } }]);
  expect(kinds(await approve(batch, await formFor(batch)))).toEqual(['approved']);
});

test('a possible duplicate is approved only by who says that they have checked it', async () => {
  const first = await newCase();
  const passport = passportOf();
  const second = await newCase({ passportNumber: passport });
  const batch = await added([pdfFile(`${second.number}.pdf`, evisa(second, passport))]);
  const [view] = await shown(batch);
  expect(view).toMatchObject({ match: 'exact', isSafe: false });
  const form = await formFor(batch);
  form.set(`tick-${needed(view).id}`, 'yes');
  expect(await approve(batch, form)).toMatchObject([{ error: { code: 'possible_duplicate' } }]);
  expect(kinds(await approve(batch, await formFor(batch)))).toEqual(['approved']);
  expect(await statusOf(first)).toBe('pending');
});

test('a number that has to be compared by eye is shown in full, which is recorded', async () => {
  const scanned = await newCase();
  const passport = passportOf();
  const batch = await added([pdfFile(`${scanned.number}.pdf`, goodPdf('scan'))]);
  const read = await newCase();
  await added([pdfFile('read.pdf', evisa(read, passportOf()))], batch.id);
  expect(await shown(batch)).toMatchObject([
    { choices: [{ passport }] },
    { choices: [{ passport: maskNumber(passportOf()) }] },
  ]);
  const isRevealed = async ({ id }: Application) =>
    (await auditEntriesBySubject(db, { kind: 'application', id })).some(
      ({ action }) => action === 'numbers_revealed',
    );
  expect([await isRevealed(scanned), await isRevealed(read)]).toEqual([true, false]);
});

test('a typed number has to be seen beside the file before it counts', async () => {
  const one = await newCase();
  const batch = await added([pdfFile('scan.pdf', goodPdf('scan'))]);
  const [view] = await shown(batch);
  const id = needed(view).id;
  const form = new FormData();
  form.set(`number-${id}`, `${one.number.slice(0, 3)} ${one.number.slice(3)}`);
  form.set(`tick-${id}`, 'compared');
  expect(kinds(await approve(batch, form))).toEqual(['look_first']);
  expect((await shown(batch))[0]).toMatchObject({ match: 'chosen', isSafe: false });
  const wrong = new FormData();
  wrong.set(`number-${id}`, 'TRV1');
  expect(kinds((await chooseTyped(platform, batch, wrong)).outcomes)).toEqual(['unknown_number']);
  // Applications that the page did not show are not approved.
  const elsewhere = await newCase();
  const forged = await formFor(batch);
  forged.set(`application-${id}`, elsewhere.number);
  expect(kinds(await approve(batch, forged))).toEqual(['look_first']);
  expect(await statusOf(elsewhere)).toBe('pending');
  expect(kinds(await approve(batch, await formFor(batch)))).toEqual(['approved']);
});

test('what cannot be used is listed with the reason, and nothing of the rest is lost', async () => {
  const good = textPdf(['one']);
  const batch = await added([
    pdfFile('good.pdf', good),
    pdfFile('again.pdf', good),
    pdfFile('text.pdf', Buffer.from('hello')),
    pdfFile('big.pdf', Buffer.alloc(6 * 1024 * 1024)),
    pdfFile(
      'script.pdf',
      Buffer.from('%PDF-1.7\n1 0 obj\n<< /JavaScript (x) >>\nendobj\nstartxref\n0\n%%EOF\n'),
    ),
  ]);
  expect((await shown(batch)).map((one) => (one.kind === 'fault' ? one.fault : one.kind))).toEqual([
    'waiting',
    'same_file',
    'wrong_type',
    'too_large',
    'unsafe',
  ]);
});

test('takes so many files and says how many were left out', async () => {
  const files = Array.from({ length: MAX_BATCH_FILES + 2 }, (_, count) =>
    pdfFile(`${count}.pdf`, Buffer.from(`no PDF ${count}`)),
  );
  const batch = await added(files);
  const view = await openBatchView(platform, aydin, needed(await ownBatch(db, batch)), 'en');
  expect([view.files.length, view.leftOut]).toEqual([MAX_BATCH_FILES, 2]);
});

test('does not look at more names of files that were too large than it has places for', async () => {
  const tooLarge = Array.from({ length: 2_000 }, (_, count) => `${count}.pdf`);
  const transactions = vi.spyOn(db, 'transaction');
  const given = { batchId: null, files: [], tooLarge, leftOut: 1 };
  const batch = needed(await addFiles(platform, aydin, given));
  expect(transactions.mock.calls.length).toBeLessThanOrEqual(MAX_BATCH_FILES);
  transactions.mockRestore();
  const view = await openBatchView(platform, aydin, needed(await ownBatch(db, batch)), 'en');
  expect([view.files.length, view.leftOut]).toEqual([MAX_BATCH_FILES, 2_001 - MAX_BATCH_FILES]);
});

test('is for the person alone who added it', async () => {
  const batch = await added([pdfFile('1.pdf', textPdf(['mine']))]);
  expect(await ownBatch(db, { id: batch.id, staffId: kaya.id })).toBeNull();
  const theirs = { batchId: batch.id, files: [], tooLarge: ['x.pdf'], leftOut: 0 };
  expect(await addFiles(platform, kaya, theirs)).toBeNull();
  expect(await batchFiles(db, batch.id)).toHaveLength(1);
  const unknown = { ...theirs, batchId: randomUUID() };
  expect(await addFiles(platform, kaya, unknown)).toMatchObject({ staffId: kaya.id });
});

test('is deleted once every file is used for good, or after a day', async () => {
  const one = await newCase();
  const used = await added([pdfFile('1.pdf', evisa(one, passportOf()))]);
  const left = await added([pdfFile('2.pdf', textPdf(['left']))]);
  expect(kinds(await approve(used, await formFor(used)))).toEqual(['approved']);
  const clean = async () => {
    const now = platform.now();
    await deleteUnusedUploads(platform);
    await deleteBatches(db, { before: new Date(now.getTime() - 24 * 3600_000), now });
    return [await ownBatch(db, used), await ownBatch(db, left)].map((batch) => batch !== null);
  };
  expect(await clean()).toEqual([true, true]);
  platform.clock.advance(DEFAULT_UNDO_SECONDS * 1000 + 1);
  expect(await clean()).toEqual([false, true]);
  platform.clock.advance(25 * 3600_000);
  expect(await clean()).toEqual([false, false]);
});
