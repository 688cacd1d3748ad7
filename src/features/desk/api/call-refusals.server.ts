import { problem } from '~/platform/http/problem.server.ts';
import type { DecisionError } from '../application/decision-types.ts';

/** Field → code of its problem. */
export const invalidResponse = (errors: Record<string, string>): Response =>
  problem({ code: 'invalid', errors });

export const notFoundResponse = (): Response => problem({ code: 'not_found' });

export const forbiddenResponse = (): Response => problem({ code: 'forbidden' });

export const tooSlowResponse = (): Response =>
  problem({ code: 'list_too_slow', headers: { 'Retry-After': '10' } });

/** The response to a refused decision. */
export function decisionRefusalResponse(error: DecisionError): Response {
  switch (error.code) {
    case 'reason_required':
      return invalidResponse({ reason: 'required' });
    case 'reason_unknown':
      return invalidResponse({ reasonCode: 'unknown' });
    case 'document_required':
      return invalidResponse({ documentUrl: 'required' });
    case 'unknown_document':
      return invalidResponse({ documentUrl: 'unknown_document' });
    case 'fields_required':
    case 'note_too_long':
      return invalidResponse({ correction: error.code });
    case 'put_off_reason':
    case 'put_off_words':
    case 'put_off_end':
    case 'put_off_day':
    case 'put_off_already':
      return invalidResponse({ putOff: error.code });
    case 'reference_unreal':
      return invalidResponse({ authorityReference: error.code });
    case 'claimed':
      return problem({
        code: 'claimed',
        extra: { claimedBy: error.name, claimedUntil: error.until.toISOString() },
      });
    case 'stale':
      return problem({
        code: 'stale',
        extra: {
          applicationStatus: error.status,
          decidedBy: error.first?.name ?? null,
          decidedAt: error.first?.at.toISOString() ?? null,
        },
      });
    default:
      return problem({ code: error.code });
  }
}
