import { toDecimal, usd } from '~/base/money.ts';
import { countryName } from '~/features/catalog/names.server.ts';
import { DESTINATION } from '~/features/insurance/rules/answers.ts';
import { openInsurance } from '~/features/insurance/store/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { maskNumber } from '~/features/application/document-number.ts';
import { makeRecord } from '~/base/record-of.ts';
import { plainColumns } from '~/features/visa/store/answer-columns.ts';
import { openZone } from '~/features/visa/store/store.server.ts';
import { compareZone } from '../application/detail.server.ts';
import { openNumbers } from '../application/store.server.ts';
import type { Holder } from '../application/claim.server.ts';
import type { DeskApplication } from '../queue/queue.server.ts';
import type { QueueCounts } from '../reports/totals.server.ts';
import type { z } from 'zod';
import type { HolderAnswer, StaffApplicationAnswer, statsAnswer } from './answer-shapes.ts';

/** An application in the staff calls, with the specification's names. Document numbers are masked. */
export function applicationAnswer(
  platform: Platform,
  gathered: DeskApplication,
): StaffApplicationAnswer {
  const { application, visa, insurance, paymentStatus, mailSentAt, transactionId } = gathered;
  const nationality = countryName(
    { code: application.countryCode, name: application.countryCode },
    'en',
  );
  const both = {
    id: application.id,
    applicationNumber: application.number,
    status: application.status,
    paymentStatus,
    transactionId,
    actionRequired: application.actionRequired,
    firstName: application.firstName,
    lastName: application.lastName,
    email: application.email,
    phone: application.phone,
    dateOfBirth: application.dateOfBirth,
    countryId: application.countryCode,
    countryOfOrigin: nationality,
    totalAmount: toDecimal(usd(application.amountMinor)),
    currency: 'USD' as const,
    orderReference: application.orderNumber,
    createdAt: application.createdAt.toISOString(),
    promisedAt: application.promisedAt?.toISOString() ?? null,
    decidedAt: application.decidedAt?.toISOString() ?? null,
    rejectionCode: application.rejectionCode,
    rejectionReason: application.rejectionReason,
    emailSentAt: mailSentAt?.toISOString() ?? null,
  };
  return application.kind === 'visa'
    ? { ...both, ...visaAnswer(platform, gathered, visa) }
    : { ...both, nationality, ...insuranceAnswer(platform, application, insurance) };
}

/** Who is working on an application, with the names used in refused decisions. */
export const holderAnswer = (holder: Holder | null): HolderAnswer => ({
  claimedBy: holder?.name ?? null,
  claimedUntil: holder?.until.toISOString() ?? null,
  assigned: holder?.isAssigned ?? false,
});

/** Photos of a parent's ID are opened at the desk one by one; calls do not return them. */
function insuranceAnswer(
  { sealer }: Platform,
  { startsOn, service }: DeskApplication['application'],
  row: DeskApplication['insurance'],
) {
  const details = row && openInsurance(sealer, row);
  return {
    passportNumber: details && maskNumber(details.passportNumber),
    placeOfBirth: details?.placeOfBirth ?? null,
    travelDate: startsOn,
    returnDate: details?.returnDate ?? null,
    destination: details ? DESTINATION : null,
    productId: service,
    tripDurationDays: details?.tripDays ?? null,
    coverUntil: details?.coverUntil ?? null,
    parentIdRequired: details?.isMinor ?? false,
    cancelledAt: details?.cancelledAt?.toISOString() ?? null,
  };
}

function visaAnswer(
  platform: Platform,
  { application }: DeskApplication,
  visa: DeskApplication['visa'],
) {
  const numbers = visa && openNumbers(platform, visa);
  return {
    documentType: application.travelDocument,
    arrivalDate: application.startsOn,
    processingType: application.service,
    passportNumber: numbers && maskNumber(numbers.passport),
    supportingDocumentNumber:
      numbers?.supportingDocument == null ? null : maskNumber(numbers.supportingDocument),
    ...makeRecord(plainColumns, (column) => visa?.[column] ?? null),
    machineReadableZone:
      visa &&
      numbers &&
      compareZone(openZone(platform.sealer, visa), application, {
        passportNumber: numbers.passport,
        passportExpiryDate: visa.passportExpiryDate,
        reveal: false,
      }),
  };
}

export function statisticsAnswer(figures: QueueCounts): z.infer<typeof statsAnswer> {
  return {
    totalApplications: figures.visa,
    totalInsuranceApplications: figures.insurance,
    totalRevenue: toDecimal(figures.revenue),
    currency: figures.revenue.currency,
    pendingApplications: figures.pending,
  };
}
