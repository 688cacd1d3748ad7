import {
  draftsOf,
  type Draft as DraftOf,
  type Kept as KeptOf,
} from '~/features/draft/drafts.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { draftContent, write, type Writing } from './draft-content.ts';
import { visaDraftStore } from './draft-store.server.ts';
import type { StepId } from './steps.ts';

/** The wizard's drafts. */
export const visaDrafts = draftsOf<StepId>({
  form: 'visa',
  cookie: 'lale_draft',
  store: visaDraftStore,
  read: (content) => draftContent.parse(content),
});

export type Draft = DraftOf<StepId>;
export type Kept = KeptOf<StepId>;

export const {
  open: openDraft,
  hold: holdDraft,
  close: closeDraft,
  endLinks: endDraftLinks,
  noCookie: noDraftCookie,
  isNamed: namesDraft,
} = visaDrafts;

/** Keeps what a page of the wizard sent: see `features/draft`. */
export const keep = (
  platform: Platform,
  request: Request,
  known: Draft | null,
  writing: Writing,
  language: string,
): Promise<Kept> =>
  visaDrafts.keep(
    platform,
    request,
    known,
    (old, version) => write(old, version, writing),
    language,
  );

/** Deletes the drafts whose time is over; returns how many. For a recurring job. */
export const forgetDrafts = (platform: Pick<Platform, 'db' | 'now'>): Promise<number> =>
  visaDrafts.forget(platform);
