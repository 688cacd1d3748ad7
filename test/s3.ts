import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import './s3rver-corrections.ts';
import S3rver from '@20minutes/s3rver';

/** The only account of the server. */
export const s3Account = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

export type TestS3 = {
  /** `http://127.0.0.1:port` */
  endpoint: string;
  bucket: string;
  /** Its address in `FILES_URL`. */
  url: (prefix?: string) => string;
  /** The variables of a service with its files there. */
  variables: (prefix?: string) => Record<string, string>;
  close: () => Promise<void>;
};

/** An S3-compatible server on this machine that checks signatures, with one empty bucket in a folder of its own. */
export async function startS3(bucket = 'lale-files'): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), 'test-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const url = (prefix = 'files') => `s3://${bucket}/${prefix}?endpoint=${endpoint}`;
  return {
    endpoint,
    bucket,
    url,
    variables: (prefix) => ({
      FILES_URL: url(prefix),
      AWS_ACCESS_KEY_ID: s3Account.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3Account.secretAccessKey,
    }),
    close: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Interferes with a request: answers it and returns true, or leaves it alone. */
type Spoil = (incoming: IncomingMessage, answer: ServerResponse) => boolean;

/** A proxy in front of an S3 server that interferes on demand. It keeps the host, which the signature covers. */
export async function startFaultyProxy(target: string) {
  let spoil: Spoil = () => false;
  const seen: string[] = [];
  const server = createServer((incoming, answer) => {
    seen.push(incoming.method ?? '');
    if (spoil(incoming, answer)) return;
    const { method, url, headers } = incoming;
    const passed = request(`${target}${url}`, { method, headers }, (theirs) => {
      answer.writeHead(theirs.statusCode ?? 502, theirs.headers);
      theirs.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The proxy listens nowhere');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    /** Methods of the received requests, in order. */
    seen,
    spoilBy: (next: Spoil) => void (spoil = next),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
