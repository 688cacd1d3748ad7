import { z } from 'zod';
import { toDecimal } from '~/base/money.ts';
import { amount, currency, day, moment } from '~/platform/input/wire.ts';
import { rejectionCodes } from '~/features/application/rejection.ts';
import { applicationStatuses, paymentStatuses } from '~/features/application/status-machine.ts';
import { byTraveller } from '~/features/application/travellers.ts';
import type { StatusView, StageName } from './status-view.ts';

/** The stages as the specification names them. */
const stageNames = {
  submitted: 'Application Submitted',
  review: 'Under Review',
  certificate: 'Certificate',
  processing: 'Processing',
  approved: 'Approved',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
} as const satisfies Record<StageName, string>;

const stage = z
  .object({
    stage: z.enum(Object.keys(stageNames) as [StageName, ...StageName[]]),
    name: z.string().describe('In English; `stage` is for programs'),
    state: z.enum(['done', 'now', 'next', 'failed']),
    at: moment.nullable().describe('When it happened or began; null while it is to come'),
    by: moment.nullable().describe('When the last stage is promised for'),
  })
  .meta({ id: 'Stage' });

const both = {
  applicationNumber: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  createdAt: moment,
  totalAmount: amount,
  currency,
  orderReference: z
    .string()
    .nullable()
    .describe(
      'What POST /api/payment/create takes; null for one traveller of several, where the caller is not the payer: only the order’s own number pays it',
    ),
  paymentStatus: z.enum(paymentStatuses).describe('Of the order; completed stays after a refund'),
  refundedAmount: amount,
  transactionId: z.string().nullable().describe('The payment partner’s, of the payment'),
  status: z.enum(applicationStatuses),
  actionRequired: z.boolean().describe('The traveller is asked to correct answers, by email'),
  correctionFields: z.array(z.string()).describe('Those to correct'),
  correctionUntil: moment.nullable(),
  rejectionCode: z.enum(rejectionCodes).nullable(),
  rejectionReason: z.string().nullable().describe('Our own words, where there are any'),
  downloadAvailable: z.boolean().describe('Then POST …/document opens it'),
  promisedAt: moment
    .nullable()
    .describe('Null while nothing is promised: before payment, or while the traveller is asked'),
  decidedAt: moment.nullable(),
  timeline: z.array(stage),
};

/** The status of an e-visa application; never a passport number. */
export const visaStatusAnswer = z
  .object({ ...both, arrivalDate: day, processingType: z.string() })
  .meta({ id: 'VisaStatus' });

/** The status of an insurance. */
export const insuranceStatusAnswer = z
  .object({
    ...both,
    travelDate: day.describe('First insured day'),
    processingType: z.string().describe('The plan, as productId'),
  })
  .meta({ id: 'InsuranceStatus' });

/** The status of all that an order holds. */
export const orderStatusAnswer = z
  .object({
    orderNumber: z.string(),
    totalAmount: amount.nullable(),
    currency,
    paymentStatus: z.enum(paymentStatuses),
    travellers: z.array(
      z.object({
        position: z.int().describe('From 1: the order of the travellers'),
        applications: z.array(
          z.discriminatedUnion('kind', [
            visaStatusAnswer.extend({ kind: z.literal('visa') }).meta({ id: 'OrderedVisaStatus' }),
            insuranceStatusAnswer
              .extend({ kind: z.literal('insurance') })
              .meta({ id: 'OrderedInsuranceStatus' }),
          ]),
        ),
      }),
    ),
  })
  .meta({ id: 'OrderStatus' });

/** The body of the status call of one application. */
export function toStatusAnswer(
  view: StatusView,
): z.infer<typeof visaStatusAnswer> | z.infer<typeof insuranceStatusAnswer> {
  const at = (when: Date | null) => when?.toISOString() ?? null;
  const facts = {
    applicationNumber: view.number,
    firstName: view.firstName,
    lastName: view.lastName,
    createdAt: view.createdAt.toISOString(),
    totalAmount: toDecimal(view.total),
    currency: view.total.currency,
    // Another traveller's order is paid by those who may know of it.
    orderReference: view.due && view.orderNumber,
    paymentStatus: view.paymentStatus,
    refundedAmount: toDecimal(view.returned.done),
    processingType: view.service,
    transactionId: view.transactionId,
    status: view.status,
    actionRequired: view.actionRequired,
    correctionFields: [...(view.correction?.fields ?? [])],
    correctionUntil: at(view.correction?.until ?? null),
    rejectionCode: view.rejection?.code ?? null,
    rejectionReason: view.rejection?.words ?? null,
    downloadAvailable: view.document !== null,
    promisedAt: at(view.promisedAt),
    decidedAt: at(view.decidedAt),
    timeline: view.timeline.map((one) => ({
      stage: one.name,
      name: stageNames[one.name],
      state: one.state,
      at: at(one.at),
      by: at(one.by),
    })),
  };
  return view.kind === 'visa'
    ? { ...facts, arrivalDate: view.startsOn }
    : { ...facts, travelDate: view.startsOn };
}

/** The body of the status call of an order, by traveller. `first`: any application of it. */
export function toOrderStatusAnswer(first: StatusView, everyone: readonly StatusView[]) {
  return {
    orderNumber: first.orderNumber,
    totalAmount: first.due && toDecimal(first.due),
    currency: first.total.currency,
    paymentStatus: first.paymentStatus,
    travellers: byTraveller(everyone).map(({ position, applications }) => ({
      position,
      applications: applications.map((view) => ({ kind: view.kind, ...toStatusAnswer(view) })),
    })),
  };
}
