import { z } from 'zod';
import { paypalClient, type PaypalAccount } from './paypal-client.server.ts';

/** What PayPal's script in a browser needs from us. */
export type PaypalScript = {
  /** Public: part of the script's address. */
  clientId: string;
  /** Whether real money moves. */
  isLive: boolean;
  /**
   * `script`: for version 6 of the script; `fields`: for hosted card fields of the version before. Null without an
   * answer.
   */
  token(use: 'script' | 'fields'): Promise<string | null>;
};

const fieldsToken = z.object({ client_token: z.string().min(1) });

export function paypalScript(
  account: PaypalAccount,
  { isLive }: { isLive: boolean },
): PaypalScript {
  const client = paypalClient(account);
  return {
    clientId: account.clientId,
    isLive,
    async token(use) {
      if (use === 'script') return client.browserToken();
      const answer = await client.call({ method: 'POST', path: '/v1/identity/generate-token' });
      if (answer === 'no_answer' || answer.status >= 300) return null;
      return fieldsToken.safeParse(answer.body).data?.client_token ?? null;
    },
  };
}
