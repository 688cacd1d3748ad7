import type { PayingService } from '../../../../../test/purchases.ts';
import type { ProviderName } from '../../provider.ts';
import { cardStage } from './card-stage.ts';
import { paypalStage } from './paypal-stage.ts';
import type { Stage } from './stage.ts';

/** Every provider's stage: a provider without one does not get past the suite. */
export const stages = [
  ['card', cardStage],
  ['paypal', paypalStage],
] as const satisfies readonly (readonly [ProviderName, (service: PayingService) => Stage])[];
