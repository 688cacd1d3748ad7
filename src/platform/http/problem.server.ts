import { STATUS_CODES } from 'node:http';
import type { ProblemCode } from './problem-codes.ts';

/** Field name → code or message of what is wrong with it. */
export type FieldErrors = Record<string, string | readonly string[]>;

export type Problem<Code extends string = ProblemCode> = {
  status: number;
  /** Stable, for programs. */
  code: Code;
  /** One sentence for people. */
  detail?: string;
  errors?: FieldErrors;
  extra?: Record<string, unknown>;
  headers?: HeadersInit;
};

/** An error answer as RFC 9457 describes it. Never cached. */
export const problem = (refusal: Problem): Response => respond(refusal);

/** The same of a partner's service that this one stands in for, with that service's codes. */
export const partnerProblem = (refusal: Problem<string>): Response => respond(refusal);

function respond({ status, code, detail, errors, extra, headers }: Problem<string>): Response {
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
