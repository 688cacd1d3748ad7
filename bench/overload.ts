/**
 * Sends the production build as many requests as it can answer, then twice and ten times as many: `npm run
 * bench -- overload`. The load generator runs on this machine and uses part of its processors. `--seconds 20` sends for
 * longer. Then it looks at another visitor beside slow senders and silent readers of each kind of work (`neighbours.ts`).
 * `--part load` or `--part neighbours` does one of the two, `--only download` one kind.
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { carries, offer, percentile, probeHealth, type Asked } from './open-loop.ts';
import { lookAtNeighbours, neighbourVariables, sendLargeBodies } from './neighbours.ts';
import { startBuild } from './server.ts';

const limits = { healthMs: 100, p99Ms: 1000, share: 0.8, memoryMb: 150 };
const FACTORS = [1, 2, 10];

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '12' },
    port: { type: 'string', default: '18391' },
    part: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
  },
});
const seconds = Number(values.seconds);
const port = Number(values.port);

let travellers = 0;
/** A new address for each request, because limits by address are not measured here. */
const address = () =>
  `10.${(travellers >> 16) & 255}.${(travellers >> 8) & 255}.${travellers++ & 255}`;

const application = JSON.stringify({
  firstName: 'Thandi',
  lastName: 'Nkosi',
  email: 'thandi.nkosi@mail.example',
  phone: '+27 31 555 0142',
  passportNumber: 'A01234567',
  passportIssueDate: '2022-03-01',
  passportExpiryDate: '2036-02-28',
  dateOfBirth: '1990-05-17',
  placeOfBirth: 'Durban',
  motherName: 'Zanele Nkosi',
  fatherName: 'Sipho Nkosi',
  address: '12 Marine Parade, 4001 Durban',
  arrivalDate: new Date(Date.now() + 60 * 24 * 3600_000).toISOString().slice(0, 10),
  processingType: 'standard',
  documentType: 'ordinary',
  countryId: 'ZAF',
  totalAmount: '94.00',
});

/** The cookie of a traveller at the arrival step. */
async function atArrival(url: string): Promise<string> {
  let cookie = '';
  for (const [path, fields] of [
    ['/application', { countryId: 'ZAF', documentType: 'ordinary' }],
    ['/application/what-it-allows', { purpose: 'tourism' }],
  ] as const) {
    const answer = await fetch(url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, accept: 'text/html' },
      body: new URLSearchParams({ intent: 'next', ...fields }),
    });
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
  }
  const page = await fetch(`${url}/application/arrival`, {
    headers: { cookie },
    redirect: 'manual',
  });
  if (page.status !== 200) throw new Error(`The page of the arrival answered ${page.status}`);
  return cookie;
}

const memoryMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const counted = (counts: Record<string, number>) =>
  Object.entries(counts).map(([what, count]) => `${count} × ${what}`);

let missed = 0;
function check(isMet: boolean, what: string) {
  if (isMet) return;
  missed++;
  console.log(`  MISSED: ${what}`);
}

async function measureLoad(build: { url: string; pid: number }) {
  const cookie = await atArrival(build.url);
  const works: Record<string, () => Asked> = {
    'GET /application/arrival': () => ({
      method: 'GET',
      path: '/application/arrival',
      headers: { cookie, accept: 'text/html', 'x-forwarded-for': address() },
    }),
    'POST /api/applications': () => ({
      method: 'POST',
      path: '/api/applications',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(application),
        'x-forwarded-for': address(),
      },
      body: application,
    }),
  };
  for (const [name, next] of Object.entries(works)) {
    await carries(port, { clients: 4, seconds: 3 }, next);
    const most = await carries(port, { clients: 6, seconds: Math.min(seconds, 8) }, next);
    const before = memoryMb(build.pid);
    console.log(
      `${name}: carries ${most.toFixed(0)}/s (six clients in turn), ${before.toFixed(0)} MB`,
    );
    let best = most;
    for (const factor of FACTORS) {
      const health = probeHealth(port);
      const tally = await offer(port, { perSecond: most * factor, seconds }, next);
      const healthMs = Math.max(...(await health.stop()));
      const rate = tally.took.length / seconds;
      best = factor === 1 ? Math.max(best, rate) : best;
      const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(tally.took, share));
      console.log(
        `  ${factor}× offered ${(tally.offered / seconds).toFixed(0)}/s: done ${rate.toFixed(0)}/s, refused ${(tally.refused / seconds).toFixed(0)}/s, p50/p95/p99 ${[p50, p95, p99].map((ms) => ms?.toFixed(0)).join('/')} ms, /healthz ${healthMs.toFixed(0)} ms at most, ${memoryMb(build.pid).toFixed(0)} MB (load of the machine ${loadavg()[0]?.toFixed(1)})`,
      );
      const wrong = counted(tally.wrong);
      const broken = counted(tally.broken);
      check(wrong.length === 0, `done or refused, nothing else (${wrong.join(', ')})`);
      check(broken.length === 0, `no broken connection (${broken.join(', ')})`);
      check(
        tally.unanswered === 0,
        `everything answered within 5 s (${tally.unanswered} were not)`,
      );
      check(healthMs < limits.healthMs, `/healthz within ${limits.healthMs} ms`);
      if (factor === 1) continue;
      check((p99 ?? 0) < limits.p99Ms, `99 % of what is done within ${limits.p99Ms} ms`);
      check(
        rate >= limits.share * best,
        `${limits.share * 100} % of the best rate, ${best.toFixed(0)}/s`,
      );
    }
    await wait(10_000);
    const after = memoryMb(build.pid);
    console.log(`  10 s later ${after.toFixed(0)} MB`);
    check(after < before + limits.memoryMb, `memory within ${limits.memoryMb} MB of what it was`);
  }
}

type Part = {
  variables: Record<string, string>;
  run: (build: { url: string; pid: number }) => Promise<void>;
};
const parts: Record<string, Part> = {
  load: { variables: { TRUST_PROXY: 'yes' }, run: measureLoad },
  bodies: { variables: {}, run: (build) => sendLargeBodies(build, port, check) },
  neighbours: {
    variables: neighbourVariables,
    run: (build) => lookAtNeighbours(build, port, { check, only: values.only }),
  },
};
for (const [name, { variables, run }] of Object.entries(parts)) {
  if (values.part !== '' && values.part !== name) continue;
  const build = await startBuild(port, variables);
  console.log(`${name}:`);
  try {
    await run(build);
  } finally {
    await build.stop();
  }
}
console.log(missed === 0 ? 'Every limit is kept.' : `${missed} limits are missed.`);
process.exitCode = missed === 0 ? 0 : 1;
