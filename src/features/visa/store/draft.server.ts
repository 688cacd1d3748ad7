import { redirect } from 'react-router';
import { answersIn } from '~/features/form/answers/controls.ts';
import { draftsOf, type Draft as DraftOf } from '~/features/form/draft/drafts.server.ts';
import { resumeLinks } from '~/features/form/draft/resume.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { positionIn, TRAVELLERS_PAGE, type PartyPlace } from '../party.ts';
import type { StepId } from '../rules/steps.ts';
import { visaForm } from '../rules/typed.ts';
import { draftContent, write, type Writing } from './draft-content.ts';
import { visaDraftStore } from './draft-store.server.ts';
import {
  deleteEmptyParties,
  draftOfBrowser,
  draftsBeside,
  placedDraft,
  type PlacedRow,
} from './party-store.server.ts';

const drafts = draftsOf<StepId, Writing>({
  form: 'visa',
  cookie: 'lale_draft',
  endedPage: '/application/saved',
  store: visaDraftStore,
  read: (content) => draftContent.parse(content),
  write,
});

/** A traveller's draft. `party`: the place in a party; null for a single traveller. */
export type Draft = DraftOf<StepId> & { party: PartyPlace | null };

const unseal = (platform: Pick<Platform, 'sealer'>, { row, party }: PlacedRow): Draft => ({
  ...drafts.unseal(platform, row),
  party,
});

/**
 * The draft of this browser; null where it has none or it has expired. In a party, the draft of the traveller in the
 * address, or else the browser's own.
 * @throws A redirect to the travellers where the address names one who was removed, so that nothing is written to
 * another's draft; and to the page that says so where the draft continues elsewhere.
 */
export async function openDraft(platform: Platform, request: Request): Promise<Draft | null> {
  const opener = drafts.openerOf(platform, request);
  if (!opener) return null;
  const position = positionIn(new URL(request.url).searchParams);
  const placed = await draftOfBrowser(platform.db, opener, platform.now(), position);
  if (!placed) {
    await drafts.assertNotEnded(platform.db, opener);
    return null;
  }
  const isOther = position !== null && position !== (placed.party?.position ?? 1);
  if (isOther && placed.row.applicationNumber === null) {
    throw redirect(TRAVELLERS_PAGE, { status: 303 });
  }
  return unseal(platform, placed);
}

/** A draft as it is now; null once it has expired. */
export async function rereadDraft(
  platform: Pick<Platform, 'db' | 'sealer' | 'now'>,
  id: string,
): Promise<Draft | null> {
  const placed = await placedDraft(platform.db, id);
  return placed && placed.row.expiresAt > platform.now() ? unseal(platform, placed) : null;
}

/** The wizard's drafts. */
export const visaDrafts = { ...drafts, open: openDraft, reread: rereadDraft };

export const {
  save: saveDraft,
  lock: lockDraft,
  close: closeDraft,
  closeSql: closeDraftSql,
  endLinks: endDraftLinks,
  noCookie: noDraftCookie,
  isNamed: namesDraft,
} = visaDrafts;

/** Links that open the wizard's draft on another device. */
export const visaLinks = resumeLinks(visaDrafts, {
  job: 'visa.resume_link',
  path: '/application/resume',
  openedWith: draftsBeside,
  form: 'visa',
  nationality: 'countryId',
  firstDay: 'arrivalDate',
  answersOf: (typed) => answersIn(visaForm, typed),
});

export const { send: sendResumeLink, begunBy, resume, mailOf: resumeMailOf } = visaLinks;

/** Deletes expired drafts; returns how many. For a recurring job. */
export async function deleteDrafts(platform: { db: Queryable; now: () => Date }): Promise<number> {
  const gone = await visaDrafts.deleteExpired(platform);
  await deleteEmptyParties(platform.db);
  return gone;
}
