import { cardGatewayLiveMistakes } from './config-card-gateway.server.ts';
import { paypalLiveMistakes } from './config-paypal.server.ts';
import { TEST_MARK } from './secrets.server.ts';

type Given = {
  PUBLIC_URL?: string;
  MAIL_URL?: string;
  CARD_GATEWAY_ENDPOINT?: string;
  CARD_GATEWAY_PUBLIC_ENDPOINT?: string;
  CARD_GATEWAY_DIGEST?: string;
  CARD_GATEWAY_ALLOW_MD5?: string;
  PAYPAL_CLIENT_ID?: string;
  PAYPAL_ENDPOINT?: string;
  SECRETS?: string | readonly string[];
  ENCRYPTION_KEYS?: string | readonly { id: string }[];
  LOOKUP_KEY?: unknown;
};

/** What live mode asks for beyond well-formed variables. Pure: looks only at what is given. */
export function liveMistakes(given: Given): string[] {
  const mistakes: string[] = [];
  const refuse = (when: boolean, mistake: string) => {
    if (when) mistakes.push(`${mistake} (MODE=live)`);
  };
  refuse(!given.PUBLIC_URL?.startsWith('https:'), 'PUBLIC_URL: must begin with https://');
  refuse(!given.MAIL_URL, 'MAIL_URL: must name a mail server');
  refuse(
    !given.CARD_GATEWAY_ENDPOINT && !given.PAYPAL_CLIENT_ID,
    'CARD_GATEWAY_ENDPOINT: must name the gateway, unless PayPal is configured; the simulated one is for tests',
  );
  for (const mistake of cardGatewayLiveMistakes(given)) refuse(true, mistake);
  for (const mistake of paypalLiveMistakes(given)) refuse(true, mistake);
  refuse(!given.LOOKUP_KEY, 'LOOKUP_KEY: must be set to 32 random bytes in base64');
  refuse(
    isTestSecret(given.SECRETS),
    'SECRETS: must be set to secrets of your own, not generated test ones',
  );
  refuse(
    isTestKey(given.ENCRYPTION_KEYS),
    'ENCRYPTION_KEYS: must be set to keys of your own, not generated test ones',
  );
  return mistakes;
}

function isTestSecret(secrets: Given['SECRETS']): boolean {
  if (!secrets) return true;
  const list = typeof secrets === 'string' ? secrets.split(',') : secrets;
  return list.some(
    (secret) => secret.trim().startsWith(TEST_MARK) || /change-?me|example|demo/i.test(secret),
  );
}

function isTestKey(keys: Given['ENCRYPTION_KEYS']): boolean {
  if (!keys) return true;
  const ids = typeof keys === 'string' ? keys.split(',') : keys.map(({ id }) => id);
  return ids.some((id) => id.trim().startsWith(TEST_MARK));
}
