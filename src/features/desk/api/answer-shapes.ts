import { z } from 'zod';
import { applicationStatuses, paymentStatuses } from '~/features/application/status-machine.ts';
import { travelDocuments } from '~/features/catalog/regime.ts';
import { zoneFields } from '~/features/visa/passport-reader/fill.ts';
import { purposes } from '~/features/visa/rules/purposes.ts';

const day = z.string().describe('YYYY-MM-DD');
const moment = z.string().describe('ISO 8601, UTC');
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
  totalAmount: z.string().describe('Two decimals'),
  currency: z.string(),
  orderReference: z.string().describe('The order’s number, TRG… where it holds several'),
  createdAt: moment,
  promisedAt: moment.nullable(),
  decidedAt: moment.nullable(),
  rejectionCode: z.string().nullable(),
  rejectionReason: z.string().nullable(),
  emailSentAt: moment.nullable().describe('When the e-mail about the decision left'),
};

/** A visa application as the staff calls answer it. */
export const visaApplicationAnswer = z
  .object({
    ...both,
    documentType: z.string().describe(travelDocuments.join(', ')),
    arrivalDate: day,
    processingType: z.string(),
    passportNumber: masked.nullable(),
    passportIssueDate: day.nullable(),
    passportExpiryDate: day.nullable(),
    placeOfBirth: z.string().nullable(),
    motherName: z.string().nullable(),
    fatherName: z.string().nullable(),
    address: z.string().nullable(),
    purpose: z.enum(purposes).nullable(),
    supportingDocumentCountry: z.string().nullable(),
    supportingDocumentType: z.string().nullable(),
    supportingDocumentNumber: masked.nullable(),
    supportingDocumentStartDate: day.nullable(),
    supportingDocumentEndDate: z.string().nullable().describe('YYYY-MM-DD, or unlimited'),
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
