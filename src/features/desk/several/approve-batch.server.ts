import type { Language } from '~/base/languages.ts';
import { applicationStatuses } from '~/features/application/status-machine.ts';
import { auditReveals, auditViews } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { decide } from '../application/decide.server.ts';
import type { DeskError } from '../application/desk-error.ts';
import { formText } from '~/platform/input/form-text.ts';
import { findApplication } from '../application/detail.server.ts';
import { chooseApplication, filesOf, type Batch } from './batch.server.ts';
import { describeBatch, type BatchFileView, type Choice } from './batch-view.server.ts';

/**
 * What became of a file of the form. `look_first`: nobody has seen it beside that application yet. `no_application`:
 * none was chosen. `unknown_number`: no visa application has the number that was typed.
 */
export type FileOutcome = { id: string; file: string } & (
  | { kind: 'approved'; number: string; name: string }
  | { kind: 'refused'; number: string; name: string; error: DeskError }
  | { kind: 'look_first' | 'no_application' }
  | { kind: 'unknown_number'; typed: string }
);

type FileView = Extract<BatchFileView, { kind: 'waiting' }>;

/**
 * Stores the numbers that were typed for files of a batch. A typed number replaces what was found, so that the next page
 * shows the file beside that application.
 */
export async function chooseTyped(
  platform: Platform,
  batch: Batch,
  form: FormData,
): Promise<{ outcomes: FileOutcome[]; chosen: Set<string> }> {
  const outcomes: FileOutcome[] = [];
  const chosen = new Set<string>();
  for (const { file, upload } of await filesOf(platform.db, batch.id)) {
    const typed = formText(form, `number-${file.id}`).trim();
    if (typed === '' || !upload || upload.applicationId !== null) continue;
    const found = await findApplication(platform.db, typed);
    if (found?.kind !== 'visa') {
      outcomes.push({ id: file.id, file: '', kind: 'unknown_number', typed: typed.slice(0, 40) });
      continue;
    }
    const { id: fileId, batchId } = file;
    await chooseApplication(platform.db, { fileId, batchId, applicationId: found.id });
    chosen.add(fileId);
  }
  return { outcomes, chosen };
}

/**
 * Approves the application of every ticked file, one after the other, each by the command that decides one and with
 * that person's time to undo: what is refused for one is done for the others. Only applications that the form showed
 * beside the file count, in the status that it showed.
 */
export async function approveTicked(
  platform: Platform,
  staff: Staff,
  { batch, form, language }: { batch: Batch; form: FormData; language: Language },
): Promise<FileOutcome[]> {
  const { outcomes, chosen } = await chooseTyped(platform, batch, form);
  const { view, applicationIds, revealedIds } = await describeBatch(
    platform,
    staff,
    batch,
    language,
  );
  await auditViews(platform.db, staff, applicationIds, platform.now());
  await auditReveals(platform.db, staff, revealedIds, platform.now());
  const uploads = new Map(
    (await filesOf(platform.db, batch.id)).map(({ file }) => [file.id, file.fileId]),
  );
  for (const one of view.files) {
    const tick = form.get(`tick-${one.id}`);
    const fileId = uploads.get(one.id);
    if (tick === null || one.kind !== 'waiting' || !fileId) continue;
    if (outcomes.some(({ id }) => id === one.id)) continue;
    if (chosen.has(one.id)) {
      outcomes.push({ id: one.id, file: one.name, kind: 'look_first' });
      continue;
    }
    outcomes.push(
      await approveOne(platform, staff, one, { form, fileId, hasChecked: tick === 'compared' }),
    );
  }
  const names = new Map(view.files.map(({ id, name }) => [id, name]));
  return outcomes.map((one) => ({ ...one, file: names.get(one.id) ?? '' }));
}

async function approveOne(
  platform: Platform,
  staff: Staff,
  one: FileView & { id: string; name: string },
  { form, fileId, hasChecked }: { form: FormData; fileId: string; hasChecked: boolean },
): Promise<FileOutcome> {
  const about = { id: one.id, file: one.name };
  const asked = formText(form, `application-${one.id}`);
  const choice = one.choices.find(({ number }) => number === asked);
  const seen = choice && seenOf(form, choice);
  if (!choice || !seen) return { ...about, kind: asked === '' ? 'no_application' : 'look_first' };
  const { number, name } = choice;
  const decided = await decide(
    platform,
    staff,
    {
      kind: 'approve',
      applicationId: choice.id,
      fileId,
      seen,
      hasCompared: hasChecked,
      hasCheckedDuplicates: hasChecked,
    },
    { undoable: true },
  );
  return decided.ok
    ? { ...about, kind: 'approved', number, name }
    : { ...about, kind: 'refused', number, name, error: decided.error };
}

const seenOf = (form: FormData, { number }: Choice) =>
  applicationStatuses.find((status) => status === form.get(`seen-${number}`));
