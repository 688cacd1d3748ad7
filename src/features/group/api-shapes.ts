import { z } from 'zod';
import { MOST_TRAVELLERS } from '~/features/application/travellers.ts';
import { MOST_PHOTOS } from '~/features/form/answers/limits.ts';
import { parentIdPhotos } from '~/features/insurance/purchase/api-shapes.ts';
import { amount, givenAmount } from '~/platform/input/wire.ts';

/** An insurance for one of the travellers of an order. */
export const orderedInsurance = z.object({
  application: z.int().min(0).describe('Whose: the place in applications, from 0'),
  productId: z.string().describe('As in GET /api/insurance/products'),
});

export const orderAnswer = z
  .object({
    orderNumber: z.string().describe('TRG…; of a single application its own number'),
    applicationNumbers: z.array(z.string()).describe('TRV…, in the order of applications'),
    insuranceNumbers: z.array(z.string()).describe('TRI…, in the order of applications'),
    totalAmount: amount,
    orderReference: z.string().describe('What POST /api/payment/create takes'),
  })
  .meta({ id: 'OrderAnswer' });

/** What `POST /api/orders` takes beside the applications. */
export const orderRequestRest = {
  insurances: z
    .array(orderedInsurance)
    .nullish()
    .describe('From the day of arrival, as long as the plan'),
  parentIdPhotos: parentIdPhotos
    .max(MOST_PHOTOS)
    .nullish()
    .describe('Once for all insured travellers under 18; JPEG, PNG or WebP, 5 MB each'),
  totalAmount: givenAmount.describe('Of everything together'),
};

export const APPLICATIONS = `1 to ${MOST_TRAVELLERS}; one arrival for all. The first one pays`;
