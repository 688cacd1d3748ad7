import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import english from '../../../locales/en/api.json' with { type: 'json' };
import { problemStatuses, type ProblemCode } from './problem-codes.ts';
import { isDatabaseLost } from '../log/database-error.server.ts';
import { isConnectionUnavailable } from '../postgres/database.server.ts';
import { isFileStoreUnavailable } from '../files/file-store.server.ts';

/** Field name → code of what is wrong with it. */
export type FieldErrors = Record<string, string>;

/** What a problem may hold beside what all have. A member that is not listed does not compile. */
export const problemMembers = z
  .object({
    messages: z
      .record(z.string(), z.string())
      .describe('Field → what to do about it, in the language of the answer'),
    totalAmount: z.string().describe('The right amount (wrong_total, wrong_amount)'),
    refundAmount: z.string().describe('What is refunded by now (refund_differs)'),
    success: z.literal(false).describe('Of calls that begin a payment'),
    error: z.string().describe('The same as `detail`, of calls that begin a payment'),
    reason: z
      .enum(['held', 'confirming', 'awaited'])
      .describe('Why another payment may be captured at any moment (payment_confirming)'),
    retries: z.int().describe('Retries that were used, of three (payment_start_failed)'),
    reference: z.string().describe('Names a failure of ours in its log (internal)'),
  })
  .partial();

/** The same of calls of staff, which others are not told of. */
export const staffProblemMembers = z
  .object({
    applicationStatus: z.string().describe('What somebody else decided (stale)'),
    decidedBy: z
      .string()
      .nullable()
      .describe('Who was first; null for nobody of the staff (stale)'),
    decidedAt: z.iso.datetime().nullable().describe('When they were (stale)'),
    claimedBy: z.string().describe('Who is working on the application (claimed)'),
    claimedUntil: z.iso.datetime().describe('Until when at the latest (claimed)'),
  })
  .partial();

export type HttpProblem<Code extends string = ProblemCode> = {
  /** Stable, for programs. */
  code: Code;
  /** One sentence for people; by default the code's in `locales`. */
  detail?: string;
  errors?: FieldErrors;
  extra?: z.infer<typeof problemMembers> & z.infer<typeof staffProblemMembers>;
  headers?: HeadersInit;
};

/** An error answer as RFC 9457 describes it, in English (`translateProblems`). Never cached. `status`: by default the code's. */
export const problem = (refusal: HttpProblem & { status?: number }): Response =>
  respond({
    ...refusal,
    status: refusal.status ?? problemStatuses[refusal.code],
    detail: refusal.detail ?? problemDetail(refusal.code),
  });

/** What a code says in English. */
export const problemDetail = (code: ProblemCode): string => english.detail[code];

/** The same of a partner's service that this one stands in for, with that service's codes. */
export const partnerProblem = (refusal: HttpProblem<string> & { status: number }): Response =>
  respond(refusal);

function respond({
  status,
  code,
  detail,
  errors,
  extra,
  headers,
}: HttpProblem<string> & { status: number }): Response {
  const title = STATUS_CODES[status] ?? 'Error';
  const all = new Headers(headers);
  all.set('Content-Type', 'application/problem+json');
  if (!all.has('Cache-Control')) all.set('Cache-Control', 'no-store');
  const body = {
    type: 'about:blank',
    title,
    status,
    code,
    detail: detail ?? title,
    errors,
    ...extra,
  };
  return new Response(JSON.stringify(body), { status, headers: all });
}

/** Whether work failed because the database or the file storage was not there: the same may succeed in a moment. */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionUnavailable(error) || isDatabaseLost(error) || isFileStoreUnavailable(error);
