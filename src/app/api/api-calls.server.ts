import { z } from 'zod';
import { countriesAnswer, seedAnswer } from '~/features/catalog/country-answer.ts';
import { countriesQuery } from '~/features/catalog/api.server.ts';
import { orderRequest } from '~/features/group/api.server.ts';
import { orderAnswer } from '~/features/group/api-shapes.ts';
import {
  applicationAnswer as insuranceAnswer,
  applicationRequest as insuranceRequest,
  productAnswer,
} from '~/features/insurance/purchase/api-shapes.ts';
import { applicationAnswer, applicationRequest } from '~/features/visa/purchase/api.server.ts';
import type { ApiCalls } from './api-call.ts';
import { paymentCalls } from './payment-calls.server.ts';
import { staffCalls } from './staff-calls.server.ts';

const number = {
  number:
    'Application number, or the number of an order for one traveller; spaces, hyphens and case do not matter',
};
const orderNumber = { number: 'Order number; spaces, hyphens and case do not matter' };
const ofSeveral =
  'application_not_found: unknown; order_of_several: the number of an order for several travellers, whom GET /api/orders/{number} answers';

/** Every documented call, described by the schemas that check it. */
export const calls: ApiCalls = {
  '/api/countries': {
    get: {
      summary: 'Nationalities, their regime and whether an e-visa exists',
      query: countriesQuery,
      answers: { 200: { description: 'All, sorted by name', schema: countriesAnswer } },
    },
  },
  '/api/seed': {
    post: {
      summary: 'Makes sure that the reference data is there; never deletes or overwrites',
      answers: { 200: { description: 'Counts', schema: seedAnswer } },
    },
  },
  '/api/applications': {
    post: {
      summary: 'Applies for an e-visa: the application and its order, or nothing',
      idempotent: true,
      body: applicationRequest,
      answers: {
        201: { description: 'Stored, unpaid', schema: applicationAnswer },
        409: { description: 'totalAmount is not what the price list says; carries the right one' },
      },
    },
  },
  '/api/applications/{number}': {
    get: {
      summary: 'Where an e-visa application stands',
      path: number,
      answers: {
        200: { description: 'Its status; no passport number' },
        404: { description: ofSeveral },
      },
    },
  },
  '/api/insurance/products': {
    get: {
      summary: 'The insurance plans on sale, with their prices',
      answers: { 200: { description: 'All, shortest first', schema: z.array(productAnswer) } },
    },
  },
  '/api/insurance/applications': {
    post: {
      summary: 'Applies for travel insurance: the application and its order, or nothing',
      idempotent: true,
      body: insuranceRequest,
      answers: {
        201: { description: 'Stored, unpaid', schema: insuranceAnswer },
        409: { description: 'totalAmount is not the plan’s price; carries the right one' },
        429: { description: 'Too many photos from this address' },
        503: { description: 'Too many photos are being looked at; try again in a minute' },
      },
    },
  },
  '/api/insurance/applications/{number}': {
    get: {
      summary: 'Where an insurance application stands',
      path: number,
      answers: { 200: { description: 'Its status' }, 404: { description: ofSeveral } },
    },
  },
  '/api/orders': {
    post: {
      summary:
        'Applies for several travellers, with or without insurance: all applications and one order, or nothing',
      idempotent: true,
      body: orderRequest,
      answers: {
        201: { description: 'Stored, unpaid', schema: orderAnswer },
        409: { description: 'totalAmount is not what it costs; carries the right one' },
        429: { description: 'Too many photos from this address' },
      },
    },
  },
  '/api/orders/{number}': {
    get: {
      summary:
        'Where all that an order holds stands, by traveller; asked for by the order’s number',
      path: orderNumber,
      answers: {
        200: { description: 'Its status; no passport number' },
        404: { description: 'Unknown, or the number of one traveller of several' },
      },
    },
  },
  ...paymentCalls,
  ...staffCalls,
};
