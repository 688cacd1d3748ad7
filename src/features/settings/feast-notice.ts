import { z } from 'zod';

/** The job that tells one of the staff of a feast that is to come. Payload: `FeastNotice`. */
export const FEAST_NOTICE_JOB = 'settings.feast_notice';

/**
 * Days before a feast from which on staff are told to check the closed days: which days beside it are days off as well
 * is decreed weeks before.
 */
export const FEAST_NOTICE_DAYS = 60;

/** `first`: the feast's first whole day. */
export const feastNotice = z.object({
  accountId: z.uuid(),
  feast: z.enum(['ramazan', 'kurban']),
  first: z.iso.date(),
});
export type FeastNotice = z.infer<typeof feastNotice>;

/** What the email is about: each of the staff gets one for each feast. */
export const feastOccasion = ({ accountId, first }: FeastNotice) =>
  ({ kind: 'feast_ahead', about: `${first}:${accountId}` }) as const;
