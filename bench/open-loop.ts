import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export type Asked = {
  method: 'GET' | 'POST';
  path: string;
  headers: OutgoingHttpHeaders;
  body?: string;
};

export type Tally = {
  offered: number;
  /** Milliseconds from sending to the last byte, of what was done. */
  took: number[];
  /** 503 with Retry-After. */
  refused: number;
  /** Any other answer, by status. */
  wrong: Record<string, number>;
  /** Connections that broke. */
  broken: number;
  /** Without an answer `PATIENCE_MS` after the last one was sent. */
  unanswered: number;
  /** Seconds in which they were offered. */
  seconds: number;
};

/** Everything that was sent is answered or refused within this time after the end. */
const PATIENCE_MS = 5000;
const TICK_MS = 5;

/** Sends so many requests a second for some seconds, however the service does: people do not wait for one another. */
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
    broken: 0,
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
    sent.once('error', () => {
      over();
      tally.broken++;
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

/** How many are done a second when so many clients each wait for their answer before they ask again. */
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

/** Asks for `/healthz` ten times a second until `stop`; answers how long each took, Infinity without an answer. */
export function probeHealth(port: number): { stop(): Promise<number[]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const probes: Promise<number>[] = [];
  const timer = setInterval(() => {
    const began = performance.now();
    probes.push(
      new Promise((resolve) => {
        const sent = request({ agent, host: '127.0.0.1', port, path: '/healthz' }, (response) => {
          response.resume();
          response.once('end', () => resolve(performance.now() - began));
        });
        sent.setTimeout(PATIENCE_MS, () => sent.destroy());
        sent.once('error', () => resolve(Infinity));
        sent.end();
      }),
    );
  }, 100);
  return {
    async stop() {
      clearInterval(timer);
      const took = await Promise.all(probes);
      agent.destroy();
      return took;
    },
  };
}

/** The value below which this share of the values lies; 0 without any. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
