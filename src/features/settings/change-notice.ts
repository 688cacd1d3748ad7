import { z } from 'zod';
import { languages, type Language } from '~/base/languages.ts';
import { twoPeopleSections } from './two-people.ts';

/** The job that tells one administrator of a change of prices. Payload: `ChangeNotice`. */
export const CHANGE_NOTICE_JOB = 'settings.change_notice';

const codes = languages.map(({ code }) => code) as [Language, ...Language[]];

/**
 * What one administrator is told: `change` is the id of the proposal where it was `proposed`, otherwise that of the
 * decision. `alone`: the only administrator decided, as the configuration allows.
 */
export const changeNotice = z.object({
  accountId: z.uuid(),
  section: z.enum(twoPeopleSections),
  what: z.enum(['proposed', 'confirmed', 'alone']),
  change: z.number().int(),
  by: z.uuid(),
  language: z.enum(codes),
});
export type ChangeNotice = z.infer<typeof changeNotice>;
