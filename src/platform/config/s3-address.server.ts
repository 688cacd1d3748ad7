/** A bucket as `s3://bucket/prefix?endpoint=https://host&region=name&addressing=path` names it. */
export type S3Address = {
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
