import { randomUUID } from 'node:crypto';
import { reasonOf } from '~/base/error-reason.ts';
import type { CardGatewayConfig } from '~/platform/config/config-card-gateway.server.ts';
import { postJson } from '~/platform/http/post-json.server.ts';
import type { NoAnswer } from '../provider.ts';
import { signFields } from './signed-fields.server.ts';

/**
 * `accepted`: the gateway answers our signature and refuses a broken one. `refused`: it refuses ours. `same`: it answers
 * both in one way, so that nothing can be told about our account.
 */
export type CardGatewayFound = 'accepted' | 'refused' | 'same' | NoAnswer;

/** Asks the gateway about a payment that does not exist, once signed by us and once with a broken signature. */
export async function askCardGateway(gateway: CardGatewayConfig): Promise<CardGatewayFound> {
  const fields = signFields(
    { merchantId: gateway.merchantId, orderRef: randomUUID() },
    gateway.privateKey,
    gateway.digest,
  );
  const ask = (sent: Record<string, string>) =>
    postJson(`${gateway.endpoint}/v1/transactions/query`, sent, gateway).then(
      ({ status }) => status,
      (error: unknown): NoAnswer => ({ noAnswer: reasonOf(error) }),
    );
  const ours = await ask(fields);
  if (typeof ours !== 'number') return ours;
  if (ours >= 500 || ours === 408 || ours === 429) return { noAnswer: String(ours) };
  const isKnownToUs = ours === 404 || (ours >= 200 && ours < 300);
  if (!isKnownToUs) return 'refused';
  const broken = await ask({ ...fields, signature: Buffer.from('none').toString('base64') });
  if (typeof broken !== 'number') return broken;
  if (broken >= 500) return { noAnswer: String(broken) };
  return broken === ours ? 'same' : 'accepted';
}
