import { and, eq, isNotNull, like } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { DEFAULT_UNDO_SECONDS, type Staff } from '~/features/staff/staff.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { claimApplication } from '../application/claim.server.ts';
import { decideApplication } from '../application/decide.server.ts';
import { MAX_WAITING_PDFS } from '../application/pdf-rules.ts';
import { deskUpload } from '../application/tables.server.ts';
import {
  evisaPdf,
  goodPdf,
  storeStaff,
  textPdf,
} from '../application/testing/case-store.server.ts';
import { undoableDecisions } from '../application/undo-record.server.ts';
import { undoDecision } from '../application/undo.server.ts';
import { deleteUnusedUploads } from '../application/uploads.server.ts';
import { actOnPdfs, type SeveralOutcome } from './decide-several.server.ts';
import { addPdf, openWaitingPdfs, removePdf, type WaitingPdf } from './waiting-pdfs.server.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const kaya = await storeStaff(platform, { name: 'M. Kaya' });

let passports = 0;
/** An application of somebody with a passport that nobody else has. */
const newCase = (given: Parameters<typeof makeApplication>[1] = {}) =>
  makeApplication(platform, { passportNumber: `B${1_000_000 + ++passports}`, ...given });
const passportOf = () => `B${1_000_000 + passports}`;

const pdfFile = (name: string, bytes: Buffer) => new File([new Uint8Array(bytes)], name);

/** Adds PDFs for somebody new; returns who, and why each was not added. */
async function added(files: readonly File[], staff?: Staff) {
  const by = staff ?? (await storeStaff(platform));
  const errors = [];
  for (const file of files) {
    // In the order of adding.
    platform.clock.advance(1);
    const one = await addPdf(platform, by, file);
    errors.push(one.ok ? null : one.error);
  }
  return { by, errors };
}

const shown = (by: Staff): Promise<WaitingPdf[]> =>
  openWaitingPdfs(platform, by, { language: 'en', orderNumber: null });

/** What a browser sends with everything that can be ticked ticked. */
async function formFor(by: Staff, { ticks }: { ticks?: 'safe' } = {}): Promise<FormData> {
  const form = new FormData();
  for (const one of await shown(by)) {
    const [first] = one.choices;
    for (const { number, status } of one.choices) form.set(`seen-${number}`, status);
    if (!first) continue;
    form.set(`application-${one.id}`, first.number);
    if (one.isSafe) form.set(`tick-${one.id}`, 'yes');
    else if (ticks !== 'safe') form.set(`tick-${one.id}`, 'compared');
  }
  return form;
}

const approve = (by: Staff, form: FormData): Promise<SeveralOutcome[]> =>
  actOnPdfs(platform, by, { form, approve: true });

const statusOf = async ({ id }: Application) => needed(await applicationById(db, id)).status;
const kinds = (outcomes: readonly SeveralOutcome[]) =>
  outcomes.map((one) => ('done' in one ? one.done : one.error.code));

test('of three files two are approved, by their text and by a name, and the third stays', async () => {
  const first = await newCase();
  const { by } = await added([pdfFile('1.pdf', evisaPdf(first, passportOf()))]);
  const second = await newCase();
  await added([pdfFile(`${second.number}.pdf`, goodPdf('no text'))], by);
  await added([pdfFile('3.pdf', textPdf(['hello']))], by);
  expect((await shown(by)).map(({ match }) => match)).toEqual(['exact', 'likely', 'nothing']);
  // What nobody has looked at is ticked only where everything agrees.
  const safe = await formFor(by, { ticks: 'safe' });
  expect([...safe.keys()].filter((name) => name.startsWith('tick-'))).toHaveLength(1);

  const outcomes = await approve(by, await formFor(by));
  expect(kinds(outcomes)).toEqual(['approved', 'approved']);
  expect([await statusOf(first), await statusOf(second)]).toEqual(['approved', 'approved']);
  expect((await shown(by)).map(({ name }) => name)).toEqual(['3.pdf']);

  // Each can be undone by itself; its file then waits again, for that person.
  const decisions = await undoableDecisions(db, by, platform.now());
  const ofFirst = needed(decisions.find(({ number }) => number === first.number));
  expect((await undoDecision(platform, by, ofFirst.id)).ok).toBe(true);
  expect((await shown(by)).map(({ name, match }) => [name, match])).toEqual([
    ['1.pdf', 'chosen'],
    ['3.pdf', 'nothing'],
  ]);
  expect(await statusOf(first)).toBe('pending');
});

test('what somebody else decided or works on meanwhile is refused alone', async () => {
  const files: File[] = [];
  const cases: Application[] = [];
  for (let count = 0; count < 3; count++) {
    const one = await newCase();
    cases.push(one);
    files.push(pdfFile(`${count}.pdf`, evisaPdf(one, passportOf())));
  }
  const [decided, taken, free] = cases;
  const { by } = await added(files);
  const form = await formFor(by);
  await decideApplication(platform, kaya, {
    kind: 'reject',
    applicationId: needed(decided).id,
    reason: 'The photo',
  });
  await claimApplication(platform, kaya, needed(taken).id);
  const outcomes = await approve(by, form);
  expect(outcomes).toMatchObject([
    { error: { code: 'stale', status: 'rejected' } },
    { error: { code: 'claimed', name: 'M. Kaya' } },
    { done: 'approved', application: { number: needed(free).number } },
  ]);
  expect((await shown(by)).map(({ choices }) => choices[0]?.obstacle?.code)).toEqual([
    'decided',
    'claimed',
  ]);
});

test('two forms at once approve once', async () => {
  const one = await newCase();
  const { by } = await added([pdfFile('1.pdf', evisaPdf(one, passportOf()))]);
  const form = await formFor(by);
  const both = (await Promise.all([approve(by, form), approve(by, form)])).flat();
  expect(both.filter((outcome) => 'done' in outcome)).toHaveLength(1);
});

test('a file that names somebody else is refused unless somebody says that they have compared it', async () => {
  const one = await newCase({ firstName: 'Anna' });
  const other = { ...one, firstName: 'Bela' };
  const { by } = await added([pdfFile(`${one.number}.pdf`, evisaPdf(other, passportOf()))]);
  const [view] = await shown(by);
  expect(view).toMatchObject({ match: 'likely', isSafe: false });
  const form = await formFor(by);
  form.set(`tick-${needed(view).id}`, 'yes');
  expect(await approve(by, form)).toMatchObject([{ error: { code: 'document_differs' } }]);
  expect(kinds(await approve(by, await formFor(by)))).toEqual(['approved']);
});

test('a possible duplicate is approved only by who says that they have checked it', async () => {
  const first = await newCase();
  const passport = passportOf();
  const second = await newCase({ passportNumber: passport });
  const { by } = await added([pdfFile(`${second.number}.pdf`, evisaPdf(second, passport))]);
  const [view] = await shown(by);
  expect(view).toMatchObject({
    match: 'exact',
    isSafe: false,
    choices: [{ duplicates: [{ number: first.number }] }],
  });
  const form = await formFor(by);
  form.set(`tick-${needed(view).id}`, 'yes');
  expect(await approve(by, form)).toMatchObject([{ error: { code: 'possible_duplicate' } }]);
  expect(kinds(await approve(by, await formFor(by)))).toEqual(['approved']);
  expect(await statusOf(first)).toBe('pending');
});

test('the passport number is shown in full, which is recorded beside the view', async () => {
  const { id, number } = await newCase();
  const { by } = await added([pdfFile(`${number}.pdf`, goodPdf('scan'))]);
  expect((await shown(by))[0]?.choices[0]?.comparison.fields[0]).toMatchObject({
    applied: passportOf(),
    mark: null,
  });
  const trail = await auditEntriesBySubject(db, { kind: 'application', id });
  expect(trail.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['application_viewed', 'numbers_revealed']),
  );
});

test('a typed number has to be seen beside the file before it counts', async () => {
  const one = await newCase();
  const { by } = await added([pdfFile('scan.pdf', goodPdf('scan'))]);
  const { id } = needed((await shown(by))[0]);
  const form = new FormData();
  form.set(`number-${id}`, `${one.number.slice(0, 3)} ${one.number.slice(3)}`);
  form.set(`tick-${id}`, 'compared');
  expect(await approve(by, form)).toMatchObject([{ error: { code: 'look_first' } }]);
  expect(await shown(by)).toMatchObject([
    { match: 'chosen', choices: [{ number: one.number }], isSafe: false },
  ]);
  const unknown = new FormData();
  unknown.set(`number-${id}`, 'nothing');
  expect(await actOnPdfs(platform, by, { form: unknown, approve: false })).toMatchObject([
    { error: { code: 'unknown_number' } },
  ]);
  expect(kinds(await approve(by, await formFor(by)))).toEqual(['approved']);
});

test('a file is refused with its reason, and the same one, or one too many, is not added', async () => {
  const script = '%PDF-1.7\n1 0 obj\n<< /JavaScript (x) >>\nendobj\nstartxref\n0\n%%EOF\n';
  const { by, errors } = await added([
    pdfFile('good.pdf', goodPdf('same')),
    pdfFile('again.pdf', goodPdf('same')),
    pdfFile('letter.pdf', Buffer.from('hello')),
    pdfFile('big.pdf', Buffer.alloc(6 * 1024 * 1024)),
    pdfFile('script.pdf', Buffer.from(script)),
  ]);
  expect(errors).toEqual([null, 'same_file', 'wrong_type', 'too_large', 'unsafe']);
  await db.insert(deskUpload).values(
    Array.from({ length: MAX_WAITING_PDFS - 1 }, (_, count) => ({
      fileId: `waiting-${count}`,
      staffId: by.id,
      size: 1,
      createdAt: platform.now(),
      name: Buffer.from(''),
    })),
  );
  expect((await added([pdfFile('more.pdf', goodPdf('more'))], by)).errors).toEqual(['full']);
  await db.delete(deskUpload).where(like(deskUpload.fileId, 'waiting-%'));
});

test('waits for the person alone who added it, who can remove it', async () => {
  const { by } = await added([pdfFile('1.pdf', textPdf(['mine']))]);
  const { id } = needed((await shown(by))[0]);
  expect(await shown(kaya)).toEqual([]);
  await removePdf(platform, kaya, id);
  expect(await shown(by)).toHaveLength(1);
  await removePdf(platform, by, id);
  expect(await shown(by)).toEqual([]);
});

test('keeps its name until its application has it for good, and one day at most', async () => {
  const one = await newCase();
  const { by } = await added([
    pdfFile('1.pdf', evisaPdf(one, passportOf())),
    pdfFile('2.pdf', textPdf(['left'])),
  ]);
  expect(kinds(await approve(by, await formFor(by)))).toEqual(['approved']);
  const named = () =>
    db.$count(deskUpload, and(eq(deskUpload.staffId, by.id), isNotNull(deskUpload.name)));
  await deleteUnusedUploads(platform);
  expect(await named()).toBe(2);
  platform.clock.advance(DEFAULT_UNDO_SECONDS * 1000 + 1);
  await deleteUnusedUploads(platform);
  expect(await named()).toBe(1);
  platform.clock.advance(25 * 3600_000);
  await deleteUnusedUploads(platform);
  expect(await named()).toBe(0);
});
