import type { S3Client } from '@aws-sdk/client-s3';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { ConfigError } from '../config/config-error.server.ts';
import type { S3Config } from '../config/config-files.server.ts';
import { FilesUnavailable, type FileStore } from './file-store.server.ts';
import { isFileId } from './files.server.ts';

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
function explainS3Error(error: unknown, { timeoutMs }: Pick<S3Config, 'timeoutMs'>): string {
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

/** With the first one; the client waits a moment before each further one. */
const ATTEMPTS = 3;

type Sdk = typeof import('@aws-sdk/client-s3');
type Opened = { sdk: Sdk; client: S3Client };

/**
 * A bucket of any S3-compatible store. Keys are named as in a folder (`prefix/ab/<id>`), so that any tool can copy one to
 * the other. The client is loaded with the first use: a process without a bucket never holds it.
 */
export function s3Store(config: S3Config): FileStore {
  const { bucket, prefix, timeoutMs } = config;
  const base = prefix === '' ? '' : `${prefix}/`;
  const keyOf = (id: string) => `${base}${id.slice(0, 2)}/${id}`;
  const name = `s3://${bucket}${prefix && `/${prefix}`} (${config.endpoint ?? config.region})`;
  let opened: Opened | undefined;

  /** One use of the bucket, within the time limit whatever the store does, the answer's body included. */
  async function use<T>(
    what: string,
    work: (open: Opened, limit: { abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    const open = (opened ??= openClient(config));
    const abortSignal = AbortSignal.timeout(timeoutMs);
    const late = Promise.withResolvers<never>();
    const onAbort = () => late.reject(abortSignal.reason);
    abortSignal.addEventListener('abort', onAbort);
    try {
      return await Promise.race([work(open, { abortSignal }), late.promise]);
    } catch (error) {
      throw new FilesUnavailable(`${what} in ${name}: ${explainS3Error(error, config)}`, {
        cause: error,
      });
    } finally {
      abortSignal.removeEventListener('abort', onAbort);
    }
  }

  const writeKey = (key: string, sealed: Uint8Array) =>
    use('write', async ({ sdk, client }, limit) => {
      const put = new sdk.PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: sealed,
        ContentType: 'application/octet-stream',
      });
      await client.send(put, limit);
    });

  const readKey = (key: string) =>
    use('read', async ({ sdk, client }, limit) => {
      try {
        const get = new sdk.GetObjectCommand({ Bucket: bucket, Key: key });
        const { Body } = await client.send(get, limit);
        if (!Body) throw new Error('the answer has no body');
        return Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined;
        throw error;
      }
    });

  const removeKey = (key: string) =>
    use('remove', async ({ sdk, client }, limit) => {
      await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }), limit);
    });

  const listFrom = (token: string | undefined, most?: number) =>
    use('list', ({ sdk, client }, limit) => {
      const list = new sdk.ListObjectsV2Command({
        Bucket: bucket,
        Prefix: base,
        ContinuationToken: token,
        MaxKeys: most,
      });
      return client.send(list, limit);
    });

  return {
    name,
    write: (id, sealed) => writeKey(keyOf(id), sealed),
    read: (id) => readKey(keyOf(id)),
    remove: (id) => removeKey(keyOf(id)),
    async *list() {
      let token: string | undefined;
      do {
        const page = await listFrom(token);
        for (const { Key: key = '' } of page.Contents ?? []) {
          const id = key.slice(key.lastIndexOf('/') + 1);
          if (isFileId(id) && key === keyOf(id)) yield id;
        }
        token = page.NextContinuationToken;
      } while (token);
    },
    async check() {
      const probe = `${base}write-test-${randomUUID()}`;
      const bytes = Buffer.from('Written by a start to see that it can be. It may be removed.');
      try {
        await listFrom(undefined, 1);
        await writeKey(probe, bytes);
        const back = await readKey(probe);
        await removeKey(probe);
        if (!back?.equals(bytes)) throw new FilesUnavailable(`${name} gave back something else`);
      } catch (error) {
        if (!(error instanceof FilesUnavailable)) throw error;
        throw Object.assign(new ConfigError([`FILES_URL: cannot ${error.message}`]), {
          cause: error,
        });
      }
    },
    close() {
      opened?.client.destroy();
      opened = undefined;
    },
  };
}

/** Vite would resolve an `import` in development and tests to the package's "module" files, which Node cannot load. */
const load = createRequire(import.meta.url);

function openClient(config: S3Config): Opened {
  const sdk: Sdk = load('@aws-sdk/client-s3');
  const { endpoint, region, isPathStyle, credentials, timeoutMs } = config;
  const client = new sdk.S3Client({
    endpoint,
    region,
    forcePathStyle: isPathStyle,
    credentials,
    maxAttempts: ATTEMPTS,
    // Half the time for one attempt, so that a store that hangs once is asked again.
    requestHandler: {
      connectionTimeout: Math.ceil(timeoutMs / 4),
      requestTimeout: Math.ceil(timeoutMs / 2),
      throwOnRequestTimeout: true,
    },
    // Not every store knows the checksums that Amazon's client adds by itself. The signature covers what is sent, and
    // the seal what comes back.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { sdk, client };
}
