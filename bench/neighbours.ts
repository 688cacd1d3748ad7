/**
 * Looks at another visitor while one address has 200 slow senders and 200 silent readers of each kind of work, and at
 * memory while it sends 48 bodies of 27 MB: the second part of `npm run bench -- overload`. The address and the visitor are
 * two loopback addresses of this machine.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request, type OutgoingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const ATTACKER = '127.0.0.2';
const VISITOR = '127.0.0.3';
const SENDERS = 200;
const READERS = 200;
const LOOKS = 40;
const LOOK_MS = 2000;
/** Between two looks: all of them take longer than a silent reader is borne. */
const PAUSE_MS = 900;
/** Between two bytes of a slow sender. */
const DRIP_MS = 4000;
const BODIES = 48;
const BODY_BYTES = 27 * 1024 * 1024;
const MOST_MEMORY_MB = 400;

const ADMIN = { ADMIN_EMAIL: 'desk@lale.example', ADMIN_PASSWORD: 'violet kettle harbour plum' };

/** What the service is to be started with. */
export const neighbourVariables = ADMIN;

type Asked = { method: 'GET' | 'POST'; path: string; headers?: OutgoingHttpHeaders; body?: string };

type Work = {
  asked: Asked;
  /** What it is answered where somebody is served. */
  status: number;
  /** The body's declared length, where a slow sender says another one than it has. */
  length?: number;
  /** Requests that a silent reader sends at once. */
  pipelined?: number;
  /** What another visitor asks for, where it is something else. */
  look?: Asked;
};

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };

const memoryMb = (pid: number, what: 'VmRSS' | 'VmHWM') =>
  Number(
    new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0,
  ) / 1024;

/** Another visitor's request: its status and milliseconds; 0 where nothing came within `LOOK_MS`. */
function look(
  port: number,
  { asked, look: other = asked }: Work,
): Promise<{ status: number; ms: number }> {
  const { body = '', ...rest } = other;
  const headers = { ...rest.headers, ...(body && { 'content-length': Buffer.byteLength(body) }) };
  const began = performance.now();
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, localAddress: VISITOR, agent: false, ...rest };
    const sent = request({ ...options, headers }, (answer) => {
      const end = () => {
        clearTimeout(timer);
        resolve({ status: answer.statusCode ?? 0, ms: performance.now() - began });
        sent.destroy();
      };
      answer.resume();
      answer.once('end', end);
    });
    const fail = () => {
      clearTimeout(timer);
      resolve({ status: 0, ms: performance.now() - began });
    };
    const timer = setTimeout(() => {
      sent.destroy();
      fail();
    }, LOOK_MS);
    sent.once('error', fail);
    sent.end(body);
  });
}

const headOf = ({ method, path, headers = {} }: Asked, length: number | null) =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: lale.example',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`),
    ...(length === null ? [] : [`content-length: ${length}`]),
    '',
    '',
  ].join('\r\n');

/** Connections that come again as soon as they are ended, until `stop`. */
function keepOpen(port: number, count: number, begin: (socket: Socket) => void): () => void {
  const open = new Set<Socket>();
  let isOver = false;
  const again = () => {
    if (isOver) return;
    const socket = connect({ host: '127.0.0.1', port, localAddress: ATTACKER });
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      open.delete(socket);
      setTimeout(again, 250);
    });
    begin(socket);
  };
  for (let n = 0; n < count; n += 1) again();
  return () => {
    isOver = true;
    for (const socket of open) socket.destroy();
  };
}

/** Sends a body, or the head where there is none, byte by byte. */
const slowSender =
  ({ asked, length }: Work) =>
  (socket: Socket) => {
    const { body = '' } = asked;
    socket.resume();
    socket.write(
      body === '' ? `${asked.method} ${asked.path} HTTP/1.1\r\n` : headOf(asked, length ?? 60_000),
    );
    const drip = setInterval(() => socket.write('a'), DRIP_MS);
    socket.once('close', () => clearInterval(drip));
  };

/** Asks and takes nothing. */
const silentReader =
  ({ asked, pipelined = 1 }: Work) =>
  (socket: Socket) => {
    const { body = '' } = asked;
    socket.pause();
    const one = headOf(asked, body === '' ? null : Buffer.byteLength(body)) + body;
    socket.write(one.repeat(pipelined));
    // A connection that the other side has ended is noticed by writing alone, as nothing is read.
    const probe = setInterval(() => socket.write('\r\n'), DRIP_MS);
    socket.once('close', () => clearInterval(probe));
  };

/** The works, with a signed-in member of staff and a document of almost five megabytes. */
async function works(url: string): Promise<Record<string, Work>> {
  const signedIn = await fetch(`${url}/admin`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }),
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const staff = { cookie, origin: url };
  const batch = randomUUID();
  const files = new FormData();
  files.set('batch', batch);
  files.set('one', 'yes');
  files.set('documents', new File([largePdf()], 'visa.pdf'));
  const uploaded = await fetch(`${url}/admin/pdfs`, {
    method: 'POST',
    headers: staff,
    body: files,
  });
  const page = await (await fetch(`${url}/admin/pdfs/${batch}`, { headers: staff })).text();
  const document = new RegExp(`/admin/pdfs/${batch}/[\\w-]+`).exec(page)?.[0];
  if (!document) throw new Error(`The document was answered ${uploaded.status}`);
  const photo = JSON.stringify({ parentIdPhotos: [{ name: 'a', data: 'x'.repeat(100_000) }] });
  return {
    page: { asked: { method: 'GET', path: '/application?x=2' }, status: 200, pipelined: 30 },
    form: {
      asked: { method: 'POST', path: '/status', headers: form, body: 'number=x' },
      status: 422,
    },
    call: {
      asked: { method: 'POST', path: '/api/applications', headers: json, body: '{}' },
      status: 422,
    },
    upload: {
      asked: { method: 'POST', path: '/api/insurance/applications', headers: json, body: photo },
      status: 422,
      length: 20_000_000,
    },
    notification: {
      asked: {
        method: 'POST',
        path: '/api/payment/notification/card',
        headers: form,
        body: 'payload=x',
      },
      status: 400,
    },
    return: {
      asked: { method: 'POST', path: '/api/payment/return/card', headers: form, body: 'payload=x' },
      status: 303,
    },
    download: {
      asked: { method: 'GET', path: document, headers: { cookie } },
      status: 200,
    },
    stream: {
      asked: { method: 'GET', path: '/admin/live/events', headers: { cookie } },
      // Somebody has twelve at most, and these are all of them.
      look: { method: 'GET', path: '/admin', headers: { cookie } },
      status: 200,
    },
  };
}

/** A PDF that passes the checks, filled with what no reader draws. */
function largePdf(): Uint8Array<ArrayBuffer> {
  const filling = 'x'.repeat(4_700_000);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>',
    '<< /Length 0 >>\nstream\n\nendstream',
    `<< /Length ${filling.length} >>\nstream\n${filling}\nendstream`,
  ];
  let text = '%PDF-1.7\n';
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  return new Uint8Array(
    Buffer.from(
      `${text}xref\n0 ${count}\n0000000000 65535 f \n${table}trailer << /Size ${count} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    ),
  );
}

type Check = (isMet: boolean, what: string) => void;

/** Looks at each kind of work in turn. `only`: the name of one. */
export async function lookAtNeighbours(
  build: { url: string; pid: number },
  port: number,
  { check, only }: { check: Check; only: string },
): Promise<void> {
  const all = await works(build.url);
  for (const [name, work] of Object.entries(all).filter(([one]) => only === '' || one === only)) {
    const stops = [
      keepOpen(port, SENDERS, slowSender(work)),
      keepOpen(port, READERS, silentReader(work)),
    ];
    // A burst of four hundred is over.
    await wait(3000);
    const looks: { status: number; ms: number }[] = [];
    for (let n = 0; n < LOOKS; n += 1) {
      looks.push(await look(port, work));
      await wait(PAUSE_MS);
    }
    const served = looks.filter(({ status }) => status === work.status).length;
    const others = [...new Set(looks.map(({ status }) => status))].filter(
      (one) => one !== work.status,
    );
    const slowest = Math.max(...looks.map(({ ms }) => ms));
    const health = await look(port, { asked: { method: 'GET', path: '/healthz' }, status: 200 });
    console.log(
      `  ${name}: another visitor served ${served} of ${LOOKS}, ${slowest.toFixed(0)} ms at most${others.length > 0 ? `, otherwise ${others.join(', ')}` : ''}; /healthz ${health.status}, ${memoryMb(build.pid, 'VmRSS').toFixed(0)} MB`,
    );
    check(served === LOOKS, `${name}: another visitor is served within ${LOOK_MS} ms each time`);
    for (const stop of stops) stop();
    await wait(1000);
  }
}

/** Sends the bodies, to an address that takes none so large and to one that does. */
export async function sendLargeBodies(
  build: { pid: number },
  port: number,
  check: Check,
): Promise<void> {
  // Well-formed, so that all of it is read and parsed.
  const body = Buffer.from(JSON.stringify({ photo: 'x'.repeat(BODY_BYTES - 12) }));
  for (const path of ['/api/payment/notification/card', '/api/orders']) {
    const before = memoryMb(build.pid, 'VmRSS');
    const statuses = await Promise.all(
      Array.from({ length: BODIES }, (_, n) =>
        send(port, path, { body, from: `127.0.1.${n + 1}` }),
      ),
    );
    const after = memoryMb(build.pid, 'VmRSS');
    const most = memoryMb(build.pid, 'VmHWM');
    const counts = new Map<number, number>();
    for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
    const answered = [...counts].map(([status, count]) => `${count} × ${status || 'cut'}`);
    console.log(
      `  ${BODIES} × 27 MB to ${path}: ${answered.join(', ')}; ${before.toFixed(0)} MB before, ${most.toFixed(0)} at most so far, ${after.toFixed(0)} after`,
    );
    check(most < MOST_MEMORY_MB, `memory stays under ${MOST_MEMORY_MB} MB`);
  }
}

function send(
  port: number,
  path: string,
  { body, from }: { body: Buffer; from: string },
): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        agent: false,
        localAddress: from,
        headers: { ...json, 'content-length': body.length },
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
        answer.once('end', () => sent.destroy());
      },
    );
    sent.once('error', () => resolve(0));
    sent.end(body);
  });
}
