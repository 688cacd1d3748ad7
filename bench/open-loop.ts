import { once } from 'node:events';
import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';

export type Asked = {
  method: 'GET' | 'POST';
  path: string;
  headers: OutgoingHttpHeaders;
  body?: string;
};

export type Tally = {
  offered: number;
  /** Milliseconds from sending to the last byte, of successful requests. */
  took: number[];
  /** 503 with Retry-After. */
  refused: number;
  /** Any other answer, by status. */
  wrong: Record<string, number>;
  /** Connections that broke, by the error's code. */
  broken: Record<string, number>;
  /** Not answered within `PATIENCE_MS` after the last one was sent. */
  unanswered: number;
  /** Seconds in which they were sent. */
  seconds: number;
};

/** Milliseconds after the end within which every request is answered or refused. */
const PATIENCE_MS = 5000;
const TICK_MS = 5;

/** Sends a fixed number of requests a second, whether or not earlier ones were answered, as independent visitors do. */
export async function offer(
  port: number,
  { perSecond, seconds }: { perSecond: number; seconds: number },
  next: () => Asked,
): Promise<Tally> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 512 });
  const tally: Tally = {
    offered: 0,
    took: [],
    refused: 0,
    wrong: {},
    broken: {},
    unanswered: 0,
    seconds,
  };
  const open = new Set<symbol>();
  const send = () => {
    const { body, ...asked } = next();
    const began = performance.now();
    const mine = Symbol('request');
    open.add(mine);
    tally.offered++;
    const over = () => open.delete(mine);
    const sent = request({ agent, host: '127.0.0.1', port, ...asked }, (response) => {
      response.resume();
      response.once('end', () => {
        over();
        const status = response.statusCode ?? 0;
        if (status < 400) tally.took.push(performance.now() - began);
        else if (status === 503 && response.headers['retry-after']) tally.refused++;
        else tally.wrong[status] = (tally.wrong[status] ?? 0) + 1;
      });
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      over();
      const code = `${error.code ?? error.message}${sent.reusedSocket ? ' when used again' : ''}`;
      tally.broken[code] = (tally.broken[code] ?? 0) + 1;
    });
    sent.end(body);
  };
  const start = performance.now();
  for (;;) {
    const passed = performance.now() - start;
    if (passed >= seconds * 1000) break;
    while (tally.offered < (passed / 1000) * perSecond) send();
    await wait(TICK_MS);
  }
  const until = performance.now() + PATIENCE_MS;
  while (open.size > 0 && performance.now() < until) await wait(TICK_MS);
  tally.unanswered = open.size;
  agent.destroy();
  return tally;
}

/** Requests answered a second when so many clients each wait for their answer before the next request. */
export async function carries(
  port: number,
  { clients, seconds }: { clients: number; seconds: number },
  next: () => Asked,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const until = performance.now() + seconds * 1000;
  let done = 0;
  const one = ({ body, ...asked }: Asked) =>
    new Promise<void>((resolve, reject) => {
      const sent = request({ agent, host: '127.0.0.1', port, ...asked }, (response) => {
        response.resume();
        response.once('end', () => {
          if ((response.statusCode ?? 500) < 400) done++;
          resolve();
        });
      });
      sent.once('error', reject);
      sent.end(body);
    });
  const client = async () => {
    while (performance.now() < until) await one(next());
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return done / seconds;
}

/** Requests `/healthz` from a thread of its own until `stop`; returns the milliseconds of each. */
export function probeHealth(port: number): { stop(): Promise<number[]> } {
  const thread = new Worker(new URL('health-probe.ts', import.meta.url), { workerData: port });
  return {
    async stop() {
      const answer = once(thread, 'message');
      thread.postMessage('stop', []);
      const [took] = await answer;
      await thread.terminate();
      return z.array(z.number()).parse(took);
    },
  };
}

/** The value below which this share of the values lies; 0 without any. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
