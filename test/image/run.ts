// npm run drill -- image: executes the Dockerfile's steps in a clean folder and runs the result as compose.yaml says: in
// live mode, as an ordinary user without write access, with a PostgreSQL and an S3 server of this machine.
import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../src/platform/postgres/embedded/embedded-postgres.server.ts';
import { makeLog } from '../../src/platform/log/log.server.ts';
import { freePort } from '../../src/platform/config/port.server.ts';
import { startS3 } from '../s3.ts';
import { environmentOf, exampleVariables, readCompose } from './compose.ts';
import { build, copyContext, readDockerfile } from './dockerfile.ts';

const root = join(import.meta.dirname, '..', '..');
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 90_000;
const folder = mkdtempSync(join(tmpdir(), 'test-image-'));
const stack = new AsyncDisposableStack();
stack.defer(() => {
  spawnSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
});
let failures = 0;

const say = (line: string) => console.log(line);
function check(what: string, isSo: boolean, detail = ''): void {
  if (!isSo) failures++;
  say(`${isSo ? 'ok    ' : 'FAILED'} ${what}${isSo || detail === '' ? '' : `: ${detail}`}`);
}

try {
  await run();
} finally {
  await stack.disposeAsync();
}
say(failures === 0 ? 'The image holds.' : `${failures} checks failed.`);
process.exit(failures === 0 ? 0 : 1);

async function run(): Promise<void> {
  // A PATH in which `node` is ours, as in the image, readable by everybody.
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  chmodSync(folder, 0o755);
  cpSync(process.execPath, join(bin, 'node'));
  const path = `${bin}:${process.env.PATH ?? ''}`;
  const context = join(folder, 'context');
  copyContext(root, context);
  const began = Date.now();
  const image = build(readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8')), {
    context,
    into: join(folder, 'stages'),
    path,
    say,
  });
  say(`Built within ${Math.round((Date.now() - began) / 1000)} s.`);
  for (const name of ['context', 'stages/build', 'stages/packages']) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
  const app = join(image.root, image.workdir);
  const megabytes = (at: string) =>
    Number(spawnSync('du', ['-sm', at], { encoding: 'utf8' }).stdout.split('\t')[0]);
  const [all, packages] = [megabytes(app), megabytes(join(app, 'node_modules'))];
  say(`What it adds to its base: ${all} MB, of which packages ${packages} MB.`);
  for (const unwanted of ['src', 'test', '.git', 'node_modules/vite', 'node_modules/typescript'])
    check(`holds no ${unwanted}`, !existsSync(join(app, unwanted)));
  spawnSync('chmod', ['-R', 'a-w,a+rX', image.root]);
  // Two megabytes of names; without this the list is cut at one, wherever the pipe happens to be.
  const listing = () =>
    spawnSync('find', [image.root, '-printf', '%p %T@\n'], {
      maxBuffer: Infinity,
    }).stdout.toString();
  const before = listing();

  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    log: makeLog({ level: 'error' }),
    settings: { fsync: 'off' },
  });
  stack.defer(postgres.stop);
  const s3 = await startS3();
  stack.defer(s3.close);
  const password = randomBytes(12).toString('hex');
  await asSuperuser(postgres.ownerUrl, `create role lale login password '${password}'`);
  const address = new URL(postgres.url);
  address.username = 'lale';
  address.password = password;

  const values = valuesForExample(s3.variables());
  const { services } = readCompose(root);
  const port = await freePort();

  function start(name: string, changes: Record<string, string>) {
    const service = services[name];
    if (!service) throw new Error(`There is no service ${name}`);
    const [program = '', ...args] = service.command ?? image.command;
    const child = spawn(program, args, {
      cwd: app,
      env: {
        PATH: path,
        ...image.env,
        ...environmentOf(service, values),
        // Services of other machines run on this one here.
        DATABASE_URL: address.href,
        FILES_URL: s3.url('live'),
        HOST: '127.0.0.1',
        PORT: String(port),
        ...changes,
      },
      ...ordinaryUser(image.user),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exit = once(child, 'exit').then(([code]) => Number(code ?? -1));
    stack.defer(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await exit;
    });
    return { child, exit, output: () => output };
  }

  const early = start('web-1', {});
  check('without a schema it says so and ends with 78', (await early.exit) === 78, early.output());
  const migrate = start('migrate', { DATABASE_URL: postgres.url });
  check('migrates as the owner and ends with 0', (await migrate.exit) === 0, migrate.output());

  const health = () => {
    const [program = '', ...args] = image.healthcheck;
    return spawnSync(program, args, { env: { PATH: path, PORT: String(port) } }).status;
  };
  check('the health check fails while nothing runs', health() === 1);
  const startedAt = Date.now();
  const web = start('web-1', {});
  const origin = `http://127.0.0.1:${port}`;
  while (!(await isReady(origin)) && web.child.exitCode === null) {
    if (Date.now() - startedAt > READY_LIMIT_MS) break;
    await sleep(100);
  }
  check('is ready in live mode', await isReady(origin), web.output());
  say(`Ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  check('the health check passes', health() === 0);
  check('says that it is live', web.output().includes('(live mode)'), web.output());

  const page = await fetch(`${origin}/`, { headers: { accept: 'text/html' } });
  const html = await page.text();
  check('answers the home page', page.status === 200 && html.includes('</html>'));
  const assets = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, at]) => at ?? '');
  check('the page names assets', assets.length > 0);
  for (const asset of assets) {
    const { status } = await fetch(`${origin}${asset}`);
    check(`answers ${asset}`, status === 200, String(status));
  }
  const statuses = ['/application', '/insurance', '/ar/faq', '/api/countries'].map(async (at) => {
    const { status } = await fetch(`${origin}${at}`, { headers: { accept: 'text/html' } });
    check(`answers ${at}`, status === 200, String(status));
  });
  await Promise.all(statuses);

  const worker = start('worker', {});
  while (!worker.output().includes('works on jobs') && worker.child.exitCode === null)
    await sleep(100);
  check('the worker works', worker.child.exitCode === null, worker.output());
  for (const [name, { child, exit, output }] of Object.entries({ web, worker })) {
    const stopping = Date.now();
    child.kill('SIGTERM');
    const code = await Promise.race([exit, sleep(STOP_LIMIT_MS).then(() => -1)]);
    check(`the ${name} process ends with 0 when it is asked to`, code === 0, output());
    say(`Stopped after ${((Date.now() - stopping) / 1000).toFixed(1)} s.`);
  }
  check('nothing was written into the image', listing() === before);
}

/**
 * The image's user, where this process may change to it; otherwise whoever runs the test, who owns the read-only
 * folder.
 */
function ordinaryUser(user = ''): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = user.split(':').map(Number);
  return { uid, gid };
}

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/readyz`)).ok;
  } catch {
    return false;
  }
}

async function asSuperuser(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** A `.env` as an operator fills it in; what they may leave empty is empty. */
function valuesForExample(account: Record<string, string>): Record<string, string> {
  const key = () => randomBytes(32).toString('base64');
  const pair = () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
  return {
    ...Object.fromEntries(exampleVariables(root).map((name) => [name, ''])),
    PUBLIC_HOST: 'visa.tulip-travel.com',
    ACME_EMAIL: 'it@tulip-travel.com',
    DATABASE_PASSWORD: randomBytes(24).toString('hex'),
    AWS_ACCESS_KEY_ID: account.AWS_ACCESS_KEY_ID ?? '',
    AWS_SECRET_ACCESS_KEY: account.AWS_SECRET_ACCESS_KEY ?? '',
    FILES_RPC_SECRET: randomBytes(32).toString('hex'),
    SECRETS: key(),
    ENCRYPTION_KEYS: `2026:${key()}`,
    LOOKUP_KEY: key(),
    MAIL_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Tulip Travel <no-reply@tulip-travel.com>',
    MAIL_DKIM_SELECTOR: 's1',
    ADMIN_EMAIL: 'it@tulip-travel.com',
    ADMIN_PASSWORD: randomBytes(24).toString('base64'),
    OPERATOR_LEGAL_NAME: 'Tulip Travel Ltd',
    OPERATOR_ADDRESS: '1 High Street, Cambridge CB1 1AA',
    OPERATOR_TAX_NUMBER: 'GB 123456789',
    OPERATOR_SUPPORT_EMAIL: 'help@tulip-travel.com',
    OPERATOR_SUPPORT_PHONE: '+44 1223 123456',
    CARD_GATEWAY_ENDPOINT: 'https://gateway.tulip-travel.com',
    CARD_GATEWAY_MERCHANT_ID: 'tulip',
    CARD_GATEWAY_PRIVATE_KEY: pair().privateKey.replaceAll('\n', '\\n'),
    CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: pair().publicKey.replaceAll('\n', '\\n'),
    METRICS_TOKEN: randomBytes(24).toString('base64'),
  };
}
