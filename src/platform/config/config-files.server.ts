import { z } from 'zod';
import { isThisMachine } from './config-live-transport.server.ts';
import { wholeNumber, yesOrNo } from './config-fields.server.ts';
import { readS3Address, s3AddressMistakes, type S3Address } from './s3-address.server.ts';

/** A bucket for files that all processes share. */
export type S3Config = Omit<S3Address, 'region'> & {
  region: string;
  /** Undefined leaves them to the client's usual places: the machine's role, a web identity, a profile. */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  /** For one file, with all repetitions. */
  timeoutMs: number;
};

/** Naming one of these asks for the other. */
export const s3CredentialsGroup = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

export const filesVariables = {
  FILES_URL: z
    .string()
    .superRefine((text, context) => {
      for (const message of s3AddressMistakes(text)) context.addIssue({ code: 'custom', message });
    })
    .optional(),
  FILES_WITHOUT_TLS: yesOrNo,
  FILES_TIMEOUT_MS: wholeNumber(100, 60_000).prefault('10000'),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_REGION: z.string().optional(),
  AWS_ENDPOINT_URL: z.string().optional(),
  AWS_ENDPOINT_URL_S3: z.string().optional(),
};

const variables = z.object(filesVariables);
type Variables = z.infer<typeof variables>;

/** Mistakes that only several variables together show. */
export function filesMistakes(given: {
  FILES_URL?: string;
  AWS_REGION?: string;
  AWS_ENDPOINT_URL?: string;
  AWS_ENDPOINT_URL_S3?: string;
}): { name: string; message: string }[] {
  const { FILES_URL: url } = given;
  if (!url || s3AddressMistakes(url).length > 0) return [];
  const { endpoint, region } = readS3Address(url);
  const mistakes: { name: string; message: string }[] = [];
  if (!endpoint && !region && !given.AWS_REGION) {
    mistakes.push({
      name: 'FILES_URL',
      message: 'needs region=… (or AWS_REGION), or endpoint=… of another store than Amazon’s',
    });
  }
  // The client would follow it past every check of FILES_URL.
  for (const name of ['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_S3'] as const) {
    if (given[name]) mistakes.push({ name, message: 'must be named in FILES_URL as endpoint=…' });
  }
  return mistakes;
}

/** Undefined where files stay under DATA_DIR. */
export function s3Config(env: Variables): S3Config | undefined {
  return env.FILES_URL ? s3ConfigAt(env.FILES_URL, env) : undefined;
}

/** The bucket of a checked address, with the credentials and limits of the environment. */
function s3ConfigAt(address: string, env: Omit<Variables, 'FILES_URL'>): S3Config {
  const read = readS3Address(address);
  return {
    ...read,
    // Stores other than Amazon's take any region, but the signature needs one.
    region: read.region ?? env.AWS_REGION ?? 'us-east-1',
    ...(env.AWS_ACCESS_KEY_ID && {
      credentials: {
        accessKeyId: env.AWS_ACCESS_KEY_ID,
        secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? '',
        sessionToken: env.AWS_SESSION_TOKEN,
      },
    }),
    timeoutMs: env.FILES_TIMEOUT_MS,
  };
}

/** What live mode asks for: files are encrypted, but a server that answers in the store's place could lose them. */
export function filesLiveMistakes(given: {
  FILES_URL?: string;
  FILES_WITHOUT_TLS?: string | boolean;
}): string[] {
  const { FILES_URL: url, FILES_WITHOUT_TLS: without } = given;
  if (!url || s3AddressMistakes(url).length > 0) return [];
  const { endpoint } = readS3Address(url);
  if (!endpoint?.startsWith('http:') || isThisMachine(new URL(endpoint).hostname)) return [];
  if (without === true || without === 'yes') return [];
  return [
    'FILES_URL: endpoint must begin with https:// for a store on another machine, or FILES_WITHOUT_TLS=yes say that the network between is yours alone',
  ];
}
