import { removeFilesLater } from '~/platform/files/remove-files.server.ts';
import { answersIn } from '~/features/form/answers/controls.ts';
import { draftsOf, type Draft as DraftOf } from '~/features/form/draft/drafts.server.ts';
import { resumeLinks } from '~/features/form/draft/resume.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { insuranceForm } from '../rules/typed.ts';
import { draftContent, write, type Step, type Writing } from './draft-content.ts';
import { insuranceDraftStore } from './draft-store.server.ts';
import { deletePhotosOf } from './photo-store.server.ts';

/** The insurance form's drafts. */
export const insuranceDrafts = draftsOf<Step, Writing>({
  form: 'insurance',
  cookie: 'lale_insurance',
  endedPage: '/insurance/saved',
  store: insuranceDraftStore,
  read: (content) => draftContent.parse(content),
  write,
});

export type Draft = DraftOf<Step>;

export const {
  open: openDraft,
  save: saveDraft,
  lock: lockDraft,
  close: closeDraft,
  endLinks: endDraftLinks,
  noCookie: noDraftCookie,
} = insuranceDrafts;

/** Links that open the form's draft on another device. */
export const insuranceLinks = resumeLinks(insuranceDrafts, {
  job: 'insurance.resume_link',
  path: '/insurance/resume',
  openedWith: async (_, draftId) => [draftId],
  form: 'insurance',
  nationality: 'nationality',
  firstDay: 'travelDate',
  // The plan's label is a question.
  answersOf: (typed) => ({ ...answersIn(insuranceForm, typed), productId: '' }),
});

/** Deletes expired drafts with their photos; returns how many. For a recurring job. */
export function deleteInsuranceDrafts({
  db,
  now,
}: {
  db: Queryable;
  now: () => Date;
}): Promise<number> {
  return insuranceDrafts.deleteExpired({ db, now }, async (tx, ids) =>
    removeFilesLater(tx, await deletePhotosOf(tx, ids)),
  );
}
