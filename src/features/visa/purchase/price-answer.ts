import { z } from 'zod';
import type { Office } from '~/base/dates/office.ts';
import { toDecimal } from '~/base/money.ts';
import { needsSupportingDocument, regimes, type Country } from '~/features/catalog/regime.ts';
import { amount, currency, day, moment } from '~/platform/input/wire.ts';
import { pathOf } from '../rules/answers.ts';
import { feeFor, quote, type PriceList } from '../rules/price-list.ts';
import { arrivalWindow, asFastForLess, readyBy } from '../rules/ready-by.ts';
import { processingTypes, speedsFor } from '../rules/speeds.ts';

/** What `GET /api/prices` takes. */
export const pricesQuery = z.object({
  countryId: z.string().describe('The nationality, as in GET /api/countries'),
});

/** The price of a visa by speed, for one nationality. */
export const pricesAnswer = z
  .object({
    countryId: z.string(),
    regime: z.enum(regimes),
    supportingDocumentRequired: z.boolean(),
    currency,
    speeds: z
      .array(
        z.object({
          processingType: z.enum(processingTypes),
          evisaFee: amount.describe('Our own fee for every e-visa'),
          processingFee: amount,
          totalAmount: amount.describe('What POST /api/applications takes'),
          readyBy: moment.describe('The latest moment we deliver by, if it is paid now'),
          earliestArrival: day.describe('The first arrivalDate that is accepted with it now'),
          latestArrival: day.describe('The last one'),
          noFasterThan: z
            .enum(processingTypes)
            .nullable()
            .describe('A cheaper one that is ready at the same moment: this one is refused then'),
        }),
      )
      .describe('Cheapest first; empty where there is no e-visa'),
  })
  .meta({ id: 'Prices' });

/** `office`: the office's, known at `now`. */
export function toPricesAnswer(
  country: Country,
  { prices, now, office }: { prices: PriceList; now: Date; office: Office },
): z.infer<typeof pricesAnswer> {
  const path = pathOf(country, {});
  return {
    countryId: country.code,
    regime: country.regime,
    supportingDocumentRequired: needsSupportingDocument(country),
    currency: 'USD',
    speeds:
      path === null
        ? []
        : speedsFor(path).map(({ processingType }) => {
            const { earliest, latest } = arrivalWindow(path, processingType, now, office);
            return {
              processingType,
              evisaFee: toDecimal(prices.evisaFee),
              processingFee: toDecimal(feeFor(prices, path, processingType)),
              totalAmount: toDecimal(quote(prices, path, processingType).total),
              readyBy: readyBy(path, processingType, now, office).toISOString(),
              earliestArrival: earliest,
              latestArrival: latest,
              noFasterThan: asFastForLess(path, processingType, now, office),
            };
          }),
  };
}
