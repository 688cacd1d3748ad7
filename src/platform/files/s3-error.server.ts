import type { S3Config } from '../config/config-files.server.ts';

const words: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket',
  InvalidAccessKeyId: 'the store does not know AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY is wrong',
  ExpiredToken: 'the credentials have expired',
  InvalidToken: 'AWS_SESSION_TOKEN is wrong',
  AccessDenied: 'the credentials do not allow it',
  Forbidden: 'the credentials do not allow it',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  PermanentRedirect: 'the bucket is in another region',
  AuthorizationHeaderMalformed: 'the bucket is in another region',
  CredentialsProviderError:
    'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role',
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'there is no machine of this name',
  EAI_AGAIN: 'the name of the machine cannot be looked up',
  ECONNRESET: 'the connection was cut',
};

/** Why the store did not do it, in words for the operator where there are some. Holds no secret. */
export function explainS3Error(error: unknown, { timeoutMs }: Pick<S3Config, 'timeoutMs'>): string {
  if (!(error instanceof Error)) return 'unknown';
  // A name with several addresses fails with one error for all of them.
  const [first = error] = error instanceof AggregateError ? error.errors : [];
  const { name } = error;
  if (name === 'TimeoutError' || name === 'AbortError') return `no answer within ${timeoutMs} ms`;
  const code = 'code' in first ? String(first.code) : name;
  const status = statusOf(error);
  const known = words[name] ?? words[code] ?? (status === 403 ? words.AccessDenied : undefined);
  const detail = status ? `${code} ${status}` : code;
  return known ? `${known} (${detail})` : `${detail}: ${error.message.slice(0, 200)}`;
}

function statusOf(error: Error): number | undefined {
  const metadata: unknown = '$metadata' in error ? error.$metadata : undefined;
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const status: unknown = 'httpStatusCode' in metadata ? metadata.httpStatusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}
