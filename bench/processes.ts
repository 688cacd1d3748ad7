/**
 * What one process carries, and what as many as asked for do: requests a second by the clock, processor time of a request
 * (all processes and the embedded database), and memory. Each number of clients asks again as soon as it is answered,
 * on a connection that it keeps.
 *
 *   npm run bench -- processes [--processes 1,2 --clients 16 --seconds 8]
 *
 * The clients are part of this machine's load: on two processors two processes cannot carry twice as much here.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomUUID } from 'node:crypto';
import { application } from '../test/crash/application.ts';
import { familyOf, processorMs } from './service/processor.ts';
import { startBuild } from './server.ts';

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '1,2' },
    clients: { type: 'string', default: '16' },
    seconds: { type: 'string', default: '8' },
    port: { type: 'string', default: '18350' },
  },
});
const seconds = Number(values.seconds);
const port = Number(values.port);

const TOKEN = randomUUID();

type Asked = { method: string; path: string; body?: string };

const works: Record<string, () => Asked> = {
  'GET /en/faq': () => ({ method: 'GET', path: '/en/faq' }),
  'GET /application': () => ({ method: 'GET', path: '/application' }),
  'POST /api/applications': () => ({
    method: 'POST',
    path: '/api/applications',
    body: JSON.stringify(application()),
  }),
};

const agent = new Agent({ keepAlive: true, maxSockets: Number(values.clients) });
const part = () => 1 + Math.floor(Math.random() * 254);

/** A new address for each request, so that no limit applies. */
function ask({ method, path, body }: Asked): Promise<number> {
  const headers: Record<string, string> = { 'x-forwarded-for': `10.${part()}.${part()}.${part()}` };
  if (body) {
    headers['content-type'] = 'application/json';
    headers['idempotency-key'] = randomUUID();
  }
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

/** Returns how many succeeded, and how many did not. */
async function load(next: () => Asked, forMs: number): Promise<{ done: number; other: number }> {
  const until = performance.now() + forMs;
  const counts = { done: 0, other: 0 };
  const client = async () => {
    while (performance.now() < until) {
      const status = await ask(next());
      counts[status < 400 ? 'done' : 'other']++;
    }
  };
  await Promise.all(Array.from({ length: Number(values.clients) }, client));
  return counts;
}

/** Whether it is one of our processes, not PostgreSQL's. */
const isOurs = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server.js');

const ownMemoryMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

async function untilAllRun(url: string, processes: string): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  for (;;) {
    const figures = await (await fetch(`${url}/metrics`, { headers })).text();
    if (figures.includes(`lale_processes ${processes}\n`)) return;
    await sleep(200);
  }
}

for (const processes of values.processes.split(',')) {
  const service = await startBuild(port, {
    PROCESSES: processes,
    TRUST_PROXY: 'yes',
    METRICS_TOKEN: TOKEN,
  });
  try {
    await untilAllRun(service.url, processes);
    for (const [name, next] of Object.entries(works)) {
      await load(next, 2000);
      const [before, own] = [processorMs(service.pid), process.cpuUsage()];
      const began = performance.now();
      const { done, other } = await load(next, seconds * 1000);
      const took = (performance.now() - began) / 1000;
      const cost = (processorMs(service.pid) - before) / Math.max(1, done + other);
      const { user, system } = process.cpuUsage(own);
      console.log(
        [
          `${processes} ${processes === '1' ? 'process' : 'processes'}`,
          name,
          `${Math.round(done / took)}/s`,
          `${cost.toFixed(2)} ms of processor each`,
          `clients ${Math.round((user + system) / 10_000 / took)} % of one processor`,
          ...(other > 0 ? [`${other} refused or failed`] : []),
        ].join(' | '),
      );
    }
    const each = familyOf(service.pid)
      .filter(isOurs)
      .map((pid) => Math.round(ownMemoryMb(pid)));
    console.log(`${processes}: ${each.join(' + ')} MB`);
  } finally {
    await service.stop();
  }
}
agent.destroy();
