import { z } from 'zod';
import { valuesInForce, type Settings } from '~/features/settings/change.ts';
import { retentionBounds, retentionYears, type RetentionYears } from './retention.ts';

const years = z
  .object({
    visa: z.int().min(retentionBounds.visa.least).max(retentionBounds.visa.most),
    insurance: z.int().min(retentionBounds.insurance.least).max(retentionBounds.insurance.most),
  })
  .partial();

/** How long personal data are kept, as administrators have set within the limits. Pages and jobs both use this. */
export function retentionInForce(settings: Settings, at: Date): RetentionYears {
  const { visa, insurance } = years.parse(valuesInForce(settings, 'retention', at));
  return {
    ...retentionYears,
    visa: visa ?? retentionYears.visa,
    insurance: insurance ?? retentionYears.insurance,
  };
}
