import { z } from 'zod';
import {
  fileAnswer,
  holderAnswer,
  insuranceApplicationAnswer,
  refundAnswer,
  refundProposalAnswer,
  refundStateAnswer,
  statsAnswer,
  visaApplicationAnswer,
} from '~/features/desk/api/answer-shapes.ts';
import {
  approveRequest,
  attachRequest,
  listQuery,
  rejectRequest,
  searchRequest,
  statusRequests,
} from '~/features/desk/api/call-input.server.ts';
import { choiceRequest, refundRequest } from '~/features/desk/api/refund-api.server.ts';
import type { ApiCall, ApiCalls } from './api-call.ts';

const id = { id: 'Id of the application, or its number' };
const decided = ['not_found', 'stale', 'claimed', 'unpaid', 'refunded', 'invalid'] as const;
const someFile = '7a4e7c0e-52d1-4b6f-9e43-0c1f5a3a9d11';

const kinds = {
  visa: { segment: 'applications', suffix: 'Visa', schema: visaApplicationAnswer },
  insurance: {
    segment: 'insurance-applications',
    suffix: 'Insurance',
    schema: insuranceApplicationAnswer,
  },
} as const;

/** The calls about applications of one kind. */
function applicationCalls(kind: keyof typeof kinds): ApiCalls {
  const { segment, suffix, schema } = kinds[kind];
  const base = `/api/admin/${segment}`;
  const page = {
    answer: {
      status: 200,
      description: 'A page of 200',
      schema: z.array(schema),
      headers: {
        'X-Total-Count': 'How many there are, counted up to 10,000',
        Link: 'The address of the next page, rel="next"; absent on the last one',
      },
    },
    query: listQuery,
    refusals: ['list_too_slow'],
  } as const;
  const answer = { status: 200, description: 'The application as it now is', schema } as const;
  return {
    [base]: {
      get: {
        operationId: `list${suffix}Applications`,
        summary: 'Applications, by what is due',
        staff: true,
        ...page,
      },
    },
    [`${base}/search`]: {
      post: {
        operationId: `search${suffix}Applications`,
        summary: 'Applications by first name, last name, email or number',
        staff: true,
        body: searchRequest,
        example: { search: 'Nkosi' },
        ...page,
      },
    },
    [`${base}/{id}/claim`]: {
      post: {
        operationId: `claim${suffix}Application`,
        summary:
          'Claims an open application for ten minutes, unless somebody else is at work on it',
        staff: true,
        path: id,
        answer: { status: 200, description: 'Who holds it', schema: holderAnswer },
        refusals: ['not_found'],
      },
    },
    [`${base}/{id}/approve`]: {
      post: {
        operationId: `approve${suffix}Application`,
        summary: 'Approves, with or without the PDF',
        staff: true,
        path: id,
        body: approveRequest,
        example: { documentUrl: someFile },
        answer,
        refusals: decided,
      },
    },
    [`${base}/{id}/reject`]: {
      post: {
        operationId: `reject${suffix}Application`,
        summary: 'Rejects; `reason`, `reasonCode` from the list, or both',
        staff: true,
        path: id,
        body: rejectRequest,
        example: { reasonCode: 'duplicate' },
        answer,
        refusals: decided,
      },
    },
    [`${base}/{id}/document`]: {
      post: {
        operationId: `attach${suffix}Document`,
        summary: 'Attaches the PDF later',
        staff: true,
        path: id,
        body: attachRequest,
        example: { documentUrl: someFile },
        answer,
        refusals: [...decided, 'not_approved'],
      },
    },
    [`${base}/{id}/status`]: {
      patch: {
        operationId: `set${suffix}Status`,
        summary:
          kind === 'visa'
            ? 'Moves the status; a rejection needs a reason'
            : 'Moves the status; a rejection without a reason has the code `other`',
        staff: true,
        path: id,
        body: statusRequests[kind],
        example: { status: 'processing' },
        answer,
        refusals: decided,
      },
    },
  };
}

/** A manager's word on a refund. */
const decideRefund = (operationId: string, summary: string): { post: ApiCall } => ({
  post: {
    operationId,
    summary,
    staff: true,
    path: { id: 'Id of the refund' },
    answer: { status: 200, description: 'Its state', schema: refundStateAnswer },
    refusals: ['not_found', 'not_held', 'own'],
  },
});

const order = { number: 'Order number' };
const refusedRefund = [
  'not_found',
  'unpaid',
  'asked_at',
  'no_application',
  'not_refundable',
] as const;

/** The calls of signed-in staff. */
export const staffCalls: ApiCalls = {
  '/api/admin/stats': {
    get: {
      operationId: 'getStats',
      summary: 'The four figures',
      staff: true,
      answer: { status: 200, description: 'Figures', schema: statsAnswer },
    },
  },
  '/api/admin/files': {
    post: {
      operationId: 'uploadFile',
      summary: 'Uploads a PDF (application/pdf, or a form with `file`), 5 MB at most',
      staff: true,
      fileType: 'application/pdf',
      query: z.object({
        waits: z
          .enum(['true'])
          .optional()
          .describe('Lists it among the caller’s PDFs that wait for their applications'),
      }),
      answer: { status: 201, description: 'Its id, for documentUrl', schema: fileAnswer },
      refusals: ['not_found', 'invalid'],
    },
  },
  '/api/admin/orders/{number}/refund-proposal': {
    post: {
      operationId: 'proposeRefund',
      summary: 'What the refund policy of an order gives back, line by line, for a cause',
      staff: true,
      path: order,
      body: choiceRequest,
      example: { cause: 'cancelled' },
      answer: { status: 200, description: 'Per line', schema: refundProposalAnswer },
      refusals: refusedRefund,
    },
  },
  '/api/admin/orders/{number}/refunds': {
    post: {
      operationId: 'openRefund',
      summary: 'Opens a refund, as proposed or with other amounts and a note; large ones wait',
      description: 'With an `id` of yours it is safe to repeat.',
      staff: true,
      path: order,
      body: refundRequest,
      example: { cause: 'cancelled', id: someFile },
      answer: { status: 201, description: 'The refund', schema: refundAnswer },
      refusals: [
        ...refusedRefund,
        'nothing',
        'exceeds',
        'note_required',
        'note_too_long',
        'other_order',
      ],
    },
  },
  '/api/admin/refunds/{id}/release': decideRefund(
    'releaseRefund',
    'Releases a refund that somebody else asked for',
  ),
  '/api/admin/refunds/{id}/withdraw': decideRefund(
    'withdrawRefund',
    'Takes back a refund that waits for release',
  ),
  ...applicationCalls('visa'),
  ...applicationCalls('insurance'),
};
