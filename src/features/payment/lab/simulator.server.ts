import type { Platform } from '~/platform/platform.server.ts';
import type { Gateway } from './gateway.server.ts';

/** Lale's account at the simulated gateway. */
export const SIMULATOR_MERCHANT = 'LALE-TEST';

/** The simulated gateway of this installation; null in live mode, where there is none. */
export function simulatedGateway(platform: Platform): Gateway | null {
  const { simulator, publicUrl, mode } = platform.config;
  if (mode !== 'test' || !simulator) return null;
  return {
    db: platform.db,
    now: platform.now,
    privateKey: simulator.provider.privateKey,
    merchantPublicKey: simulator.merchant.publicKey,
    merchantId: SIMULATOR_MERCHANT,
    checkoutUrl: `${publicUrl}/mock-gpay-payment`,
    digest: 'sha256',
  };
}
