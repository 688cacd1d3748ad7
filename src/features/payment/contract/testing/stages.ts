import type { PayingService } from '../../../../../test/purchases.ts';
import { providerNames, type ProviderName } from '~/base/payment-providers.ts';
import { cardStage } from './card-stage.ts';
import { paypalStage } from './paypal-stage.ts';
import { stripeStage } from './stripe-stage.ts';
import type { Stage } from './stage.ts';

const byName: Record<ProviderName, (service: PayingService) => Stage> = {
  card: cardStage,
  paypal: paypalStage,
  stripe: stripeStage,
};

/** Every provider's stage, by its name. */
export const stages = providerNames.map((name) => [name, byName[name]] as const);
