import {
  draftsOf,
  type Draft as DraftOf,
  type Kept as KeptOf,
} from '~/features/form/draft/drafts.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { draftContent, write, type Writing } from './draft-content.ts';
import { visaDraftStore } from './draft-store.server.ts';
import type { StepId } from '../rules/steps.ts';

/** The wizard's drafts. */
export const visaDrafts = draftsOf<StepId, Writing>({
  form: 'visa',
  cookie: 'lale_draft',
  store: visaDraftStore,
  read: (content) => draftContent.parse(content),
  write,
});

export type Draft = DraftOf<StepId>;
export type Kept = KeptOf<StepId>;

export const {
  open: openDraft,
  keep,
  hold: lockDraft,
  reread: rereadDraft,
  close: closeDraft,
  closeSql: closeDraftSql,
  endLinks: endDraftLinks,
  noCookie: noDraftCookie,
  isNamed: namesDraft,
} = visaDrafts;

/** Deletes the drafts whose time is over; returns how many. For a recurring job. */
export const deleteDrafts = (platform: Pick<Platform, 'db' | 'now'>): Promise<number> =>
  visaDrafts.deleteExpired(platform);
