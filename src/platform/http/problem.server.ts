import { STATUS_CODES } from 'node:http';

/** Field name → code or message of what is wrong with it. */
export type FieldErrors = Record<string, string | readonly string[]>;

export type Problem = {
  status: number;
  /** Stable, for programs: `not_found`, `key_reused`. */
  code: string;
  /** One sentence for people. */
  detail?: string;
  errors?: FieldErrors;
  extra?: Record<string, unknown>;
  headers?: HeadersInit;
};

/** An error answer as RFC 9457 describes it. Never cached. */
export function problem({ status, code, detail, errors, extra, headers }: Problem): Response {
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
