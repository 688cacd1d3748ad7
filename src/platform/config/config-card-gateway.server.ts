import { isIP } from 'node:net';
import { z } from 'zod';
import { privateKey, publicKeys, url, wholeNumber } from './config-fields.server.ts';
import { isShortRsa, publicHalf, readKey } from './secret-strength.server.ts';

export const cardGatewayDigests = ['sha256', 'sha384', 'sha512', 'md5'] as const;

/** The card payment partner. Keys are PEM. */
export type CardGatewayConfig = {
  /** Server to server, without a trailing slash. */
  endpoint: string;
  /** The same as the payer's browser reaches it. */
  publicEndpoint: string;
  merchantId: string;
  /** Signs our messages. */
  privateKey: string;
  /** The partner's keys, each accepted: the current one, and the next while it rotates. */
  providerPublicKeys: readonly string[];
  digest: (typeof cardGatewayDigests)[number];
  /** `api`: a payment is registered first, server to server; `form`: only the browser's form makes it. */
  mode: 'api' | 'form';
  timeoutMs: number;
};

/** Naming one of these asks for the others. */
export const cardGatewayGroup = [
  'CARD_GATEWAY_ENDPOINT',
  'CARD_GATEWAY_MERCHANT_ID',
  'CARD_GATEWAY_PRIVATE_KEY',
  'CARD_GATEWAY_PROVIDER_PUBLIC_KEYS',
] as const;

const endpoint = url('http:', 'https:').transform((value) => value.replace(/\/+$/, ''));

export const cardGatewayVariables = {
  CARD_GATEWAY_ENDPOINT: endpoint.optional(),
  CARD_GATEWAY_PUBLIC_ENDPOINT: endpoint.optional(),
  CARD_GATEWAY_MERCHANT_ID: z.string().optional(),
  CARD_GATEWAY_PRIVATE_KEY: privateKey.optional(),
  CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: publicKeys.optional(),
  CARD_GATEWAY_DIGEST: z
    .enum(cardGatewayDigests, { error: `must be one of ${cardGatewayDigests.join(', ')}` })
    .default('sha256'),
  CARD_GATEWAY_ALLOW_MD5: z.enum(['yes', 'no'], { error: 'must be yes or no' }).default('no'),
  CARD_GATEWAY_MODE: z.enum(['api', 'form'], { error: 'must be api or form' }).default('api'),
  CARD_GATEWAY_TIMEOUT_MS: wholeNumber(100, 60_000).prefault('10000'),
};

const variables = z.object(cardGatewayVariables);

/** Undefined where no gateway is named: test mode then uses the simulated one. */
export function cardGatewayConfig(env: z.infer<typeof variables>): CardGatewayConfig | undefined {
  if (!env.CARD_GATEWAY_ENDPOINT) return undefined;
  return {
    endpoint: env.CARD_GATEWAY_ENDPOINT,
    publicEndpoint: env.CARD_GATEWAY_PUBLIC_ENDPOINT ?? env.CARD_GATEWAY_ENDPOINT,
    merchantId: env.CARD_GATEWAY_MERCHANT_ID ?? '',
    privateKey: env.CARD_GATEWAY_PRIVATE_KEY ?? '',
    providerPublicKeys: env.CARD_GATEWAY_PROVIDER_PUBLIC_KEYS ?? [],
    digest: env.CARD_GATEWAY_DIGEST,
    mode: env.CARD_GATEWAY_MODE,
    timeoutMs: env.CARD_GATEWAY_TIMEOUT_MS,
  };
}

type Given = {
  CARD_GATEWAY_ENDPOINT?: string;
  CARD_GATEWAY_PUBLIC_ENDPOINT?: string;
  CARD_GATEWAY_PRIVATE_KEY?: string;
  CARD_GATEWAY_PROVIDER_PUBLIC_KEYS?: string | readonly string[];
  CARD_GATEWAY_DIGEST?: string;
  CARD_GATEWAY_ALLOW_MD5?: string;
};

/** What live mode asks for beyond well-formed variables. */
export function cardGatewayLiveMistakes(given: Given): string[] {
  const mistakes: string[] = [];
  for (const name of ['CARD_GATEWAY_ENDPOINT', 'CARD_GATEWAY_PUBLIC_ENDPOINT'] as const) {
    const address = given[name];
    if (address && !isSafe(address)) mistakes.push(`${name}: must begin with https://`);
  }
  // Signatures over MD5 can be forged with effort. Old merchant accounts support nothing else, so the operator has to
  // allow it.
  if (given.CARD_GATEWAY_DIGEST === 'md5' && given.CARD_GATEWAY_ALLOW_MD5 !== 'yes') {
    mistakes.push('CARD_GATEWAY_DIGEST: md5 is weak and needs CARD_GATEWAY_ALLOW_MD5=yes');
  }
  return [...mistakes, ...keyMistakes(given)];
}

function keyMistakes(given: Given): string[] {
  const mistakes: string[] = [];
  const { CARD_GATEWAY_PRIVATE_KEY: own, CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: partners } = given;
  const ours = own ? readKey(own.replaceAll('\\n', '\n'), 'private') : null;
  // A text that could not be parsed was reported already.
  const theirs = (typeof partners === 'string' ? [] : (partners ?? [])).flatMap(
    (pem) => readKey(pem, 'public') ?? [],
  );
  if (ours && isShortRsa(ours)) {
    mistakes.push('CARD_GATEWAY_PRIVATE_KEY: RSA needs 2048 bits or more');
  }
  if (theirs.some(isShortRsa)) {
    mistakes.push('CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: RSA needs 2048 bits or more');
  }
  if (ours && theirs.some((key) => publicHalf(key) === publicHalf(ours))) {
    mistakes.push(
      'CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: holds the public half of our own key; it must be the partner’s',
    );
  }
  return mistakes;
}

/** By TLS, or to a proxy on this machine that speaks it. */
export function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { protocol, hostname } = new URL(address);
  const isHere = hostname === 'localhost' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
  return protocol === 'https:' || isHere;
}
