import { z } from 'zod';
import { travelDocuments } from '~/features/catalog/regime.ts';
import { MAX_PHOTOS } from '~/features/form/answers/limits.ts';
import { amount, currency, day, email, givenAmount } from '~/platform/input/wire.ts';
import { questions } from '../rules/questions.ts';

/** One plan in the response of `GET /api/insurance/products`. */
export const productAnswer = z
  .object({
    id: z.string().describe('What other calls take as productId'),
    name: z.string().describe('7 Days Coverage'),
    price: amount,
    currency,
    days: z.int().positive().describe('Length of the cover, first and last day included'),
  })
  .meta({ id: 'InsuranceProduct' });
export type ProductAnswer = z.infer<typeof productAnswer>;

export const parentIdPhotos = z.array(
  z.object({
    name: z.string().default(''),
    data: z.string().optional().describe('data:image/jpeg;base64,…'),
    dataUrl: z.string().optional().describe('The same under its other name'),
  }),
);

/**
 * The body of `POST /api/insurance/applications`, for its description: the specification's fields and those of the
 * form. `check` decides what is valid.
 */
export const applicationRequest = z
  .object({
    firstName: questions.firstName,
    lastName: questions.lastName,
    email: email.describe('Where the certificate is sent'),
    phone: questions.phone,
    passportNumber: questions.passportNumber,
    nationality: z.string().describe('As in GET /api/countries: three letters, or the name'),
    countryOfOrigin: z.string().nullish().describe('The same; nationality decides'),
    travelDate: day,
    returnDate: day.describe('After the travel date'),
    destination: z
      .string()
      .nullish()
      .describe('Turkey, or left out: every insurance is for Türkiye'),
    dateOfBirth: day,
    productId: z.string().describe('As in GET /api/insurance/products'),
    totalAmount: givenAmount.describe('Must be the price of the plan'),
    tripDurationDays: z.number().nullish().describe('Counted here, first and last day included'),
    parentIdPhotos: parentIdPhotos
      .max(MAX_PHOTOS)
      .nullish()
      .describe('Required when under 18 on the travel date; JPEG, PNG or WebP, 5 MB each'),
    placeOfBirth: z.nullish(questions.placeOfBirth),
    documentType: z.enum(travelDocuments).nullish().describe('An ordinary passport if not said'),
  })
  .meta({ id: 'InsuranceApplicationRequest' });

export const applicationAnswer = z
  .object({
    applicationNumber: z.string(),
    id: z.uuid(),
    totalAmount: amount,
    orderReference: z.string().describe('What POST /api/payment/create takes'),
  })
  .meta({ id: 'InsuranceApplicationAnswer' });
