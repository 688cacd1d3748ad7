import { connections, textOf, type Answered } from './browser.ts';
import { request } from 'node:http';
import { renderBare, startBare, type Rendered } from './bare.ts';
import type { BenchDatabase } from './database.ts';
import { newTraveller } from './journeys.ts';
import { again, AT_ONCE, costOf, type Cost } from './measure.ts';

export type References = {
  page: Cost;
  asset: Cost;
  post: Cost;
  react: { first: Rendered; arrival: Rendered };
};

export type Samples = {
  /** The service's answer. */
  content: Answered;
  asset: Answered;
  first: Answered;
  arrival: Answered;
};

/** Measures the bare server and bare React, on the same processors, with the bytes that the service sends. */
export async function measureReferences(
  port: number,
  samples: Samples,
  database: BenchDatabase,
  blocks: number,
): Promise<References> {
  const fileOf = (path: string, { headers, body }: Answered) => ({
    path,
    type: headers['content-type'] ?? '',
    body: body.toString('base64'),
  });
  const bare = await startBare({
    port,
    databaseUrl: await database.bare(),
    files: [fileOf('/page', samples.content), fileOf('/asset', samples.asset)],
  });
  const pids = { web: bare.pid, postgres: database.pid };
  const agent = connections(AT_ONCE);
  const ask = (method: 'GET' | 'POST', path: string, body?: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = body
        ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
        : { 'accept-encoding': 'gzip, deflate, br, zstd' };
      const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
        answer.resume().once('end', () => {
          if (answer.statusCode === (body ? 201 : 200)) resolve();
          else reject(new Error(`The bare server answered ${answer.statusCode}`));
        });
      });
      sent.once('error', reject);
      sent.end(body);
    });
  try {
    return {
      page: await costOf(
        again(() => ask('GET', '/page')),
        pids,
        blocks,
      ),
      asset: await costOf(
        again(() => ask('GET', '/asset')),
        pids,
        blocks,
      ),
      post: await costOf(
        again(() => ask('POST', '/', JSON.stringify(newTraveller()))),
        pids,
        blocks,
      ),
      react: {
        first: renderBare(textOf(samples.first)),
        arrival: renderBare(textOf(samples.arrival)),
      },
    };
  } finally {
    agent.destroy();
    bare.stop();
  }
}
