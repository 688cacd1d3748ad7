import { z } from 'zod';
import {
  insuranceApplicationAnswer,
  visaApplicationAnswer,
} from '~/features/desk/api/answer-shapes.ts';
import {
  approveRequest,
  attachRequest,
  rejectRequest,
  searchRequest,
  statusRequest,
} from '~/features/desk/api/call-input.server.ts';
import type { ApiCalls } from './api-call.ts';

const id = { id: 'Id of the application, or its number' };

/** The calls about applications of one kind; `segment` of the path. */
function applicationCalls(segment: string, staffAnswer: z.ZodType): ApiCalls {
  const base = `/api/admin/${segment}`;
  const decided = {
    200: { description: 'The application as it now is', schema: staffAnswer },
    409: { description: 'Somebody was first' },
  };
  return {
    [base]: {
      get: {
        summary: 'Applications, by what is due',
        staff: true,
        answers: { 200: { description: 'A page of 200', schema: z.array(staffAnswer) } },
      },
    },
    [`${base}/search`]: {
      post: {
        summary: 'Applications by first name, last name, e-mail or number',
        staff: true,
        body: searchRequest,
        answers: { 200: { description: 'What was found', schema: z.array(staffAnswer) } },
      },
    },
    [`${base}/{id}/claim`]: {
      post: {
        summary:
          'Claims an open application for ten minutes, unless somebody else is at work on it',
        staff: true,
        path: id,
        answers: {
          200: { description: 'claimedBy: somebody else’s name, or null; claimedUntil' },
          404: { description: 'Unknown' },
        },
      },
    },
    [`${base}/{id}/approve`]: {
      post: {
        summary: 'Approves, with or without the PDF',
        staff: true,
        path: id,
        body: approveRequest,
        answers: decided,
      },
    },
    [`${base}/{id}/reject`]: {
      post: {
        summary: 'Rejects; `reason`, `reasonCode` from the list, or both',
        staff: true,
        path: id,
        body: rejectRequest,
        answers: decided,
      },
    },
    [`${base}/{id}/document`]: {
      post: {
        summary: 'Attaches the PDF later',
        staff: true,
        path: id,
        body: attachRequest,
        answers: decided,
      },
    },
    [`${base}/{id}/status`]: {
      patch: {
        summary: 'Moves the status',
        staff: true,
        path: id,
        body: statusRequest,
        answers: decided,
      },
    },
  };
}

/** The calls of signed-in staff. */
export const staffCalls: ApiCalls = {
  '/api/admin/stats': {
    get: { summary: 'The four figures', staff: true, answers: { 200: { description: 'Figures' } } },
  },
  '/api/admin/files': {
    post: {
      summary: 'Uploads a PDF (application/pdf, or a form with `file`), 5 MB at most',
      staff: true,
      answers: {
        201: {
          description:
            'Its id, for documentUrl; with `?application=` also which facts of that application stand in it',
        },
      },
    },
  },
  '/api/admin/orders/{number}/refund-proposal': {
    post: {
      summary: 'What the refund policy of an order gives back, line by line, for a cause',
      staff: true,
      answers: { 200: { description: 'Amount and reason per line' } },
    },
  },
  '/api/admin/orders/{number}/refunds': {
    post: {
      summary: 'Opens a refund, as proposed or with other amounts and a note; large ones wait',
      staff: true,
      answers: { 201: { description: 'Its id and state' } },
    },
  },
  '/api/admin/refunds/{id}/release': {
    post: {
      summary: 'Releases a refund that somebody else asked for',
      staff: true,
      answers: { 200: { description: 'Its state' } },
    },
  },
  '/api/admin/refunds/{id}/withdraw': {
    post: {
      summary: 'Takes back a refund that waits for release',
      staff: true,
      answers: { 200: { description: 'Its state' } },
    },
  },
  ...applicationCalls('applications', visaApplicationAnswer),
  ...applicationCalls('insurance-applications', insuranceApplicationAnswer),
};
