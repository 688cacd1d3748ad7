import { z } from 'zod';
import { rejectionCodes } from '~/features/application/rejection.ts';
import { applicationStatuses, paymentStatuses } from '~/features/application/status-machine.ts';
import { refundCauses, refundReasons } from '~/features/order/refund-policy.ts';
import { refundStates } from '~/features/payment/refund-machine.ts';
import { travelDocuments } from '~/features/catalog/regime.ts';
import { zoneFields } from '~/features/visa/passport-reader/zone.ts';
import { makeRecord } from '~/base/record-of.ts';
import {
  answerByColumn,
  plainColumns,
  type PlainColumn,
} from '~/features/visa/store/answer-columns.ts';
import { purposes } from '~/features/visa/rules/questions.ts';
import { amount, currency, day, moment } from '~/platform/input/wire.ts';

const masked = z.string().describe('First and last two characters, the rest hidden');

/** What was read from the machine-readable lines of a passport or identity card, beside the present answers. */
const machineReadableZone = z.object({
  rows: z.array(
    z.object({
      field: z.enum([...zoneFields, 'countryId']),
      typed: z.string().describe('The present answer; document numbers are masked'),
      read: z.string().describe('As read, masked likewise; empty where the lines do not say it'),
      differs: z.boolean().describe('Whether the two say different things, spelling set aside'),
    }),
  ),
  areNamesCut: z.boolean().describe('The names fill their line: they may have been cut'),
});

const both = {
  id: z.uuid(),
  applicationNumber: z.string(),
  status: z.enum(applicationStatuses),
  paymentStatus: z.enum(paymentStatuses),
  transactionId: z.string().nullable(),
  actionRequired: z.boolean(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  dateOfBirth: day,
  countryId: z.string().describe('Three letters'),
  countryOfOrigin: z.string().describe('Its English name'),
  totalAmount: amount,
  currency,
  orderReference: z.string().describe('The order’s number, TRG… where it holds several'),
  createdAt: moment,
  promisedAt: moment.nullable(),
  decidedAt: moment.nullable(),
  rejectionCode: z.enum(rejectionCodes).nullable(),
  rejectionReason: z.string().nullable(),
  emailSentAt: moment.nullable().describe('When the e-mail about the decision left'),
};

/** An answer of an e-visa's details; null where it was not asked. */
function answerShape(column: PlainColumn): z.ZodType<string | null> {
  switch (answerByColumn(column)) {
    case 'date':
      return day.nullable();
    case 'date_or_unlimited':
      return z.string().nullable().describe('YYYY-MM-DD, or unlimited');
    default:
      return column === 'purpose' ? z.enum(purposes).nullable() : z.string().nullable();
  }
}

/** A visa application as the staff calls answer it. */
export const visaApplicationAnswer = z
  .object({
    ...both,
    documentType: z.string().describe(travelDocuments.join(', ')),
    arrivalDate: day,
    processingType: z.string(),
    passportNumber: masked.nullable(),
    supportingDocumentNumber: masked.nullable(),
    ...makeRecord(plainColumns, answerShape),
    machineReadableZone: machineReadableZone
      .nullable()
      .describe('Read from the passport’s lines; null where the traveller typed everything'),
  })
  .meta({ id: 'StaffVisaApplication' });

/** An insurance application as the staff calls answer it. The photos of a parent’s ID are opened at the desk. */
export const insuranceApplicationAnswer = z
  .object({
    ...both,
    nationality: z.string().describe('The English name of the country'),
    passportNumber: masked.nullable(),
    placeOfBirth: z.string().nullable(),
    travelDate: day,
    returnDate: day.nullable(),
    destination: z.string().nullable(),
    productId: z.string(),
    tripDurationDays: z.int().nullable(),
    coverUntil: day.nullable(),
    parentIdRequired: z.boolean(),
    cancelledAt: moment.nullable(),
  })
  .meta({ id: 'StaffInsuranceApplication' });

export type StaffApplicationAnswer =
  | z.infer<typeof visaApplicationAnswer>
  | z.infer<typeof insuranceApplicationAnswer>;

/** The four figures. */
export const statsAnswer = z
  .object({
    totalApplications: z.int(),
    totalInsuranceApplications: z.int(),
    totalRevenue: amount,
    currency,
    pendingApplications: z.int(),
  })
  .meta({ id: 'StaffStats' });

/** Who is working on an application, in the response to a claim. */
export const holderAnswer = z
  .object({
    claimedBy: z
      .string()
      .nullable()
      .describe('Somebody else’s name; null for the caller or nobody'),
    claimedUntil: moment.nullable().describe('Null where nobody is working on it'),
    assigned: z.boolean().describe('Whether it was given to them'),
  })
  .meta({ id: 'Claim' });
export type HolderAnswer = z.infer<typeof holderAnswer>;

/** An uploaded PDF. */
export const fileAnswer = z
  .object({
    id: z.string().describe('What documentUrl takes'),
    size: z.int().describe('In bytes'),
  })
  .meta({ id: 'UploadedFile' });

const line = z.object({
  id: z.uuid(),
  applicationNumber: z.string(),
  code: z.string(),
  paid: amount,
  alreadyRefunded: amount,
  amount: amount.describe('What goes back'),
  reason: z.enum(refundReasons),
});

/** What the policy of an order gives back. */
export const refundProposalAnswer = z
  .object({ total: amount, currency, lines: z.array(line) })
  .meta({ id: 'RefundProposal' });

/** A refund that was opened. */
export const refundAnswer = z
  .object({
    id: z.uuid(),
    orderNumber: z.string(),
    applications: z.array(z.string()),
    cause: z.enum(refundCauses),
    amount,
    currency,
    state: z.enum(refundStates),
    requestedAt: moment,
  })
  .meta({ id: 'Refund' });

/** Where a refund stands after a manager decided about it. */
export const refundStateAnswer = z
  .object({ id: z.uuid(), state: z.enum(refundStates) })
  .meta({ id: 'RefundState' });
