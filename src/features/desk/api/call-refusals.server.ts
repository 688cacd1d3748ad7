import { problem } from '~/platform/http/problem.server.ts';
import type { DecisionError } from '../decision/decision.ts';

/** Field → code of its problem. */
export const invalid = (errors: Record<string, string>): Response =>
  problem({ status: 422, code: 'invalid', detail: 'Some answers are not valid.', errors });

export const notFound = (): Response =>
  problem({ status: 404, code: 'not_found', detail: 'There is no such application.' });

export const forbidden = (): Response =>
  problem({ status: 403, code: 'forbidden', detail: 'Your role does not allow this.' });

export const tooSlow = (): Response =>
  problem({
    status: 503,
    code: 'list_too_slow',
    detail: 'This list took too long. Narrow it further.',
    headers: { 'Retry-After': '10' },
  });

/** The response to a refused decision. */
export function refusal(error: DecisionError): Response {
  switch (error.code) {
    case 'not_found':
      return notFound();
    case 'forbidden':
      return forbidden();
    case 'reason_required':
      return invalid({ reason: 'required' });
    case 'reason_unknown':
      return invalid({ reasonCode: 'unknown' });
    case 'document_required':
      return invalid({ documentUrl: 'required' });
    case 'unknown_document':
      return invalid({ documentUrl: 'unknown_document' });
    case 'fields_required':
    case 'note_too_long':
      return invalid({ correction: error.code });
    case 'already_waiting':
    case 'not_waiting':
      return problem({
        status: 409,
        code: error.code,
        detail: 'Whether the traveller is asked for a correction has changed.',
      });
    case 'refunded':
      return problem({
        status: 409,
        code: 'refunded',
        detail: 'This application is being paid back: it can only be rejected.',
      });
    case 'document_differs':
      return problem({
        status: 409,
        code: error.code,
        detail: 'The document may belong to another traveller.',
      });
    case 'possible_duplicate':
      return problem({
        status: 409,
        code: error.code,
        detail: 'The application may be a duplicate of another one.',
      });
    case 'unpaid':
      return problem({
        status: 409,
        code: 'unpaid',
        detail: 'An application that is not paid can only be rejected.',
      });
    case 'not_approved':
      return problem({
        status: 409,
        code: 'not_approved',
        detail: 'A document is attached to an approved application only.',
      });
    case 'claimed':
      return problem({
        status: 409,
        code: 'claimed',
        detail: `${error.name} is at work on this application.`,
        extra: { claimedBy: error.name, claimedUntil: error.until.toISOString() },
      });
    case 'stale': {
      const by = error.first?.name ?? 'Somebody else';
      return problem({
        status: 409,
        code: 'stale',
        detail: `${by} was first: the application is ${error.status}.`,
        extra: {
          applicationStatus: error.status,
          decidedBy: error.first?.name ?? null,
          decidedAt: error.first?.at.toISOString() ?? null,
        },
      });
    }
  }
}
