import { connections, bodyText, type BenchResponse } from './browser.ts';
import { request } from 'node:http';
import { renderBare, startBare, type RenderedPage } from './bare.ts';
import type { BenchDatabase } from './database.ts';
import { newTraveller } from './journeys.ts';
import { repeatRequest, AT_ONCE, measureCost, type Cost } from './measure.ts';

export type References = {
  page: Cost;
  asset: Cost;
  post: Cost;
  react: { first: RenderedPage; arrival: RenderedPage };
};

export type Samples = {
  /** The service's answer. */
  content: BenchResponse;
  asset: BenchResponse;
  first: BenchResponse;
  arrival: BenchResponse;
};

/** Measures the bare server and bare React, on the same processors, with the bytes that the service sends. */
export async function measureReferences(
  port: number,
  samples: Samples,
  database: BenchDatabase,
  blocks: number,
): Promise<References> {
  const fileOf = (path: string, { headers, body }: BenchResponse) => ({
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
      page: await measureCost(
        repeatRequest(() => ask('GET', '/page')),
        pids,
        blocks,
      ),
      asset: await measureCost(
        repeatRequest(() => ask('GET', '/asset')),
        pids,
        blocks,
      ),
      post: await measureCost(
        repeatRequest(() => ask('POST', '/', JSON.stringify(newTraveller()))),
        pids,
        blocks,
      ),
      react: {
        first: renderBare(bodyText(samples.first)),
        arrival: renderBare(bodyText(samples.arrival)),
      },
    };
  } finally {
    agent.destroy();
    bare.stop();
  }
}
