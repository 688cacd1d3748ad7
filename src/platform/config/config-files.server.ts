import { z } from 'zod';
import { isThisMachine } from './config-live.server.ts';
import { wholeNumber, yesOrNo } from './config-fields.server.ts';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A bucket as `s3://bucket/prefix?endpoint=https://host&region=name&addressing=path` names it. */
type S3Address = {
  bucket: string;
  /** In front of every key, without slashes at its ends; may be empty. */
  prefix: string;
  /** Undefined means Amazon's own, by region. */
  endpoint?: string;
  /** Undefined where the address leaves it to AWS_REGION. */
  region?: string;
  /** The bucket stands in the path instead of the host name. */
  isPathStyle: boolean;
};

/** Amazon's rules for names that work in host names and paths alike. */
const BUCKET = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const PREFIX = /^[\w.-]+(\/[\w.-]+)*$/;
const REGION = /^[a-z0-9-]+$/i;
const PARAMETERS = ['endpoint', 'region', 'addressing'];

/** What is wrong with an address, each mistake once; none for a good one. The address is not repeated. */
export function s3AddressMistakes(text: string): string[] {
  const parsed = parse(text);
  return 'mistakes' in parsed ? parsed.mistakes : [];
}

/** @throws Error for an address with mistakes: ask `s3AddressMistakes` first. */
export function readS3Address(text: string): S3Address {
  const parsed = parse(text);
  if ('mistakes' in parsed) throw new Error(parsed.mistakes.join('; '));
  return parsed;
}

function parse(text: string): S3Address | { mistakes: string[] } {
  if (!text.startsWith('s3://') || !URL.canParse(text)) {
    return { mistakes: ['must be an address like s3://bucket/prefix?endpoint=https://host'] };
  }
  const url = new URL(text);
  const { searchParams: given } = url;
  const prefix = url.pathname.replace(/^\/|\/$/g, '');
  const endpoint = given.get('endpoint') ?? undefined;
  const region = given.get('region') ?? undefined;
  const addressing = given.get('addressing') ?? (endpoint ? 'path' : 'host');
  const unknown = [...new Set(given.keys())].filter((name) => !PARAMETERS.includes(name));
  const checks: [boolean, string][] = [
    [
      url.username !== '' || url.password !== '',
      'must not hold credentials; they belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    ],
    [
      !BUCKET.test(url.hostname) || url.port !== '',
      'needs a bucket of 3 to 63 small letters, digits and hyphens after s3://',
    ],
    [
      prefix !== '' &&
        (!PREFIX.test(prefix) || prefix.split('/').some((part) => /^\.+$/.test(part))),
      'may have a prefix of letters, digits, hyphens, dots and slashes only',
    ],
    [
      endpoint !== undefined && !isOrigin(endpoint),
      'endpoint must be an address without a path, like https://host',
    ],
    [region !== undefined && !REGION.test(region), 'region must be a name like eu-central-1'],
    [!['path', 'host'].includes(addressing), 'addressing must be path or host'],
    [url.hash !== '', 'must not have a part after #'],
    [
      PARAMETERS.some((name) => given.getAll(name).length > 1),
      `may name each of ${PARAMETERS.join(', ')} once`,
    ],
    ...unknown.map((name): [boolean, string] => [
      true,
      `does not know the parameter ${JSON.stringify(name.slice(0, 40))}; there are ${PARAMETERS.join(', ')}`,
    ]),
  ];
  const mistakes = checks.filter(([isWrong]) => isWrong).map(([, mistake]) => mistake);
  if (mistakes.length > 0) return { mistakes };
  return { bucket: url.hostname, prefix, endpoint, region, isPathStyle: addressing === 'path' };
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, href, origin } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && href === `${origin}/`;
}

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

/** Makes the data folder and tries to write into it; says what is wrong, or nothing. */
export function dataDirMistake(dataDir: string): string | undefined {
  const probe = join(dataDir, `.write-test-${process.pid}`);
  try {
    makeFolder(dataDir);
    writeFileSync(probe, '');
    rmSync(probe, { force: true });
    return undefined;
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return `DATA_DIR: cannot write to ${dataDir} (${reason})`;
  }
}

/** Step by step: Node's own `recursive` never returns where a folder cannot be made below one that exists (/proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o755 });
}
