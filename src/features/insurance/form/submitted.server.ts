import { leadTo, type Lead } from '~/features/form/submit/lead.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Draft } from '../store/draft.server.ts';

/** Where somebody belongs whose draft was submitted under this number. */
export const leadOf = (platform: Pick<Platform, 'db'>, number: string): Promise<Lead> =>
  leadTo(platform, number, `/insurance/payment?ref=${number}`);

/** The same of a draft; null before it was submitted. */
export const leadSubmitted = async (
  platform: Pick<Platform, 'db'>,
  { applicationNumber }: Draft,
): Promise<Lead | null> => (applicationNumber ? leadOf(platform, applicationNumber) : null);
