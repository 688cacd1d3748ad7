import { nextPage, type NextPage } from '~/features/form/next-page.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Draft } from '../store/draft.server.ts';

/** The next page of a draft that was submitted under this number. */
export const nextPageOf = (platform: Pick<Platform, 'db'>, number: string): Promise<NextPage> =>
  nextPage(platform, number, `/insurance/payment?ref=${number}`);

/** The next page of a draft; null before it was submitted. */
export const nextPageOfDraft = async (
  platform: Pick<Platform, 'db'>,
  { applicationNumber }: Draft,
): Promise<NextPage | null> => (applicationNumber ? nextPageOf(platform, applicationNumber) : null);
