import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { gatewayFaults } from './gateway-faults.ts';
import type { Gateway } from './gateway-base.server.ts';

/** Lale's account at the simulated gateway. */
export const SIMULATOR_MERCHANT = 'LALE-TEST';

const gateways = new WeakMap<Platform, Gateway>();

/** The simulated gateway of this installation; null in live mode. */
export function simulatedGateway(platform: Platform): Gateway | null {
  const { simulator, publicUrl, mode } = platform.config;
  if (mode !== 'test' || !simulator) return null;
  const known = gateways.get(platform);
  if (known) return known;
  const gateway: Gateway = {
    db: platform.db,
    now: platform.now,
    privateKey: simulator.provider.privateKey,
    merchantPublicKeys: [simulator.merchant.publicKey],
    merchantId: SIMULATOR_MERCHANT,
    checkoutUrl: `${publicUrl}/mock-gpay-payment`,
    digest: 'sha256',
    announce: (tx, notice) => enqueue(tx, 'lab.gateway_notify', notice),
    faults: gatewayFaults(),
  };
  gateways.set(platform, gateway);
  return gateway;
}
