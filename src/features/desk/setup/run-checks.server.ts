import { resolveTxt } from 'node:dns/promises';
import type { Pool } from 'pg';
import { reasonOf } from '~/base/error-reason.ts';
import { providerNames } from '~/base/payment-providers.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import { isThisMachine } from '~/platform/config/config-live-transport.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import { openFileStore } from '~/platform/files/open-store.server.ts';
import { mailServerAccepts } from '~/platform/mail/mail.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { serversOf } from '~/platform/config/database-address.ts';
import { clockCheck, type OtherClock } from './clock-check.server.ts';
import { configurationCheck, keysCheck, modeCheck } from './configuration-checks.ts';
import { accountsCheck, backupsCheck, databaseCheck } from './database-checks.server.ts';
import { factorsCheck, insuranceCheck, operatorCheck } from './desk-checks.server.ts';
import {
  dkimCheck,
  dmarcCheck,
  mailCheck,
  spfCheck,
  type ResolveTxt,
} from './mail-checks.server.ts';
import { cardCheck, heardCheck, paypalCheck, stripeCheck } from './partner-checks.server.ts';
import {
  askCertificateEnd,
  proxyCheck,
  tlsCheck,
  type CertificateEnd,
  type Fetch,
} from './reach-checks.server.ts';
import {
  checked,
  checkIds,
  mistakesFound,
  variable,
  waiting,
  type Check,
  type CheckId,
} from './setup-check.ts';
import { signOnCheck } from './sign-on-check.server.ts';
import { accountRights, databaseTime } from './setup-store.server.ts';

/** What the checks ask outside this process. */
export type Outside = {
  resolve: ResolveTxt;
  ask: Fetch;
  certificateEnd: CertificateEnd;
  now: () => Date;
};

const TIMEOUT_MS = 8000;

export const outside = (now: () => Date): Outside => ({
  resolve: resolveTxt,
  ask: (address, options) =>
    fetch(address, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) }),
  certificateEnd: askCertificateEnd(TIMEOUT_MS),
  now,
});

export type Checked = {
  /** Null where the variables do not make one: `mistakes` then say why, and only what needs none is checked. */
  config: Config | null;
  /** What live mode says against the variables. */
  mistakes: readonly string[];
  mode: string | undefined;
  /** Null where there is none, or none can be opened. */
  database: { db: Database; pool: Pool; url: string } | null;
};

/**
 * Everything that stands between a configuration and taking money, in the order of `checkIds`. What travellers and staff
 * see stays as it is; a small file is written and removed where files are kept.
 */
export async function runChecks(
  { config, mistakes, mode, database }: Checked,
  { resolve, ask, certificateEnd, now }: Outside,
  timeoutMs = TIMEOUT_MS + 4000,
): Promise<Check[]> {
  const fromConfiguration = (id: Parameters<typeof configurationCheck>[0]) =>
    configurationCheck(id, mistakes);
  const noDatabase = config ? 'needsDatabase' : 'needsAddress';
  const isMistaken = (prefix: string) => mistakes.some((mistake) => mistake.startsWith(prefix));
  const schema = database ? hasSchema(database.db) : Promise.resolve(false);
  const ofDatabase = async (
    id: CheckId,
    check: (open: NonNullable<typeof database>) => Promise<Check>,
  ) => (database && (await schema) ? check(database) : waiting(id, noDatabase));
  const sender = isMistaken('MAIL_FROM:') ? null : config;
  const ofSender = (id: CheckId, check: (config: Config) => Promise<Check>) =>
    sender ? check(sender) : waiting(id, 'needsAddress');
  const checks: Record<CheckId, () => Promise<Check> | Check | null> = {
    mode: () => modeCheck(mode, mistakes),
    keys: () => keysCheck(mistakes),
    tls: () =>
      fromConfiguration('tls') ??
      (config ? tlsCheck(config, { certificateEnd, now }) : waiting('tls', 'needsAddress')),
    proxy: () => (config ? proxyCheck(config, ask) : waiting('proxy', 'needsAddress')),
    mail: () =>
      fromConfiguration('mail') ??
      (config
        ? mailCheck(config, () => mailServerAccepts(config))
        : waiting('mail', 'needsAddress')),
    spf: () => ofSender('spf', (one) => spfCheck(one, resolve)),
    dkim: () => ofSender('dkim', (one) => dkimCheck(one, resolve)),
    dmarc: () => ofSender('dmarc', (one) => dmarcCheck(one, resolve)),
    files: () =>
      fromConfiguration('files') ??
      (config ? filesCheck(config) : waiting('files', 'needsAddress')),
    database: () =>
      fromConfiguration('database') ??
      (database ? databaseCheck(database.pool, database.url) : waiting('database', noDatabase)),
    accounts: () => ofDatabase('accounts', ({ db }) => accountsCheck(db)),
    backups: () =>
      ofDatabase('backups', ({ db }) =>
        backupsCheck(db, { recipient: config?.backupRecipient, now }),
      ),
    partners: () => fromConfiguration('partners'),
    // A partner whose own variables are wrong is not asked: secrets could be sent in the clear.
    card: () =>
      config?.providers.card && !isMistaken('CARD_GATEWAY_')
        ? cardCheck(config.providers.card)
        : null,
    paypal: () =>
      config?.providers.paypal && !isMistaken('PAYPAL_')
        ? paypalCheck(config.providers.paypal, config.publicUrl)
        : null,
    stripe: () =>
      config?.providers.stripe && !isMistaken('STRIPE_')
        ? stripeCheck(config.providers.stripe, config.publicUrl)
        : null,
    heard: () =>
      config && providerNames.some((name) => config.providers[name])
        ? ofDatabase('heard', ({ db }) => heardCheck(config, db))
        : null,
    insurance: () => ofDatabase('insurance', ({ db }) => insuranceCheck({ db, now })),
    operator: () =>
      config
        ? ofDatabase('operator', ({ db }) => operatorCheck(config, { db, now }))
        : (fromConfiguration('operator') ?? waiting('operator', noDatabase)),
    factors: () => ofDatabase('factors', ({ db }) => factorsCheck({ db }, config ?? undefined)),
    signOn: () =>
      fromConfiguration('signOn') ??
      (config?.singleSignOn ? signOnCheck(config.singleSignOn, config.publicUrl, ask) : null),
    clock: () => clockCheck(now, clocksOf({ config, database }, ask)),
  };
  const made = await Promise.all(checkIds.map((id) => finished(id, checks[id], timeoutMs)));
  return made.flatMap((check) => check ?? []);
}

/** Whether the database answers and has our tables. Where it does not, its own check says why. */
const hasSchema = (db: Database): Promise<boolean> =>
  accountRights(db).then(
    (rights) => rights.hasSchema,
    () => false,
  );

/** One check, which neither fails nor takes longer than it may. */
async function finished(
  id: CheckId,
  check: () => Promise<Check> | Check | null,
  timeoutMs: number,
): Promise<Check | null> {
  const { promise: late, resolve } = Promise.withResolvers<Check>();
  const values = { seconds: Math.round(timeoutMs / 1000) };
  const timer = setTimeout(
    () => resolve(checked(id, 'unknown', { code: 'tookTooLong', values })),
    timeoutMs,
  );
  try {
    return await Promise.race([Promise.resolve().then(check), late]);
  } catch (error) {
    return checked(id, 'unknown', { code: 'failed', values: { reason: reasonOf(error) } });
  } finally {
    clearTimeout(timer);
  }
}

/** Whether files can be kept: lists, writes, reads and removes a small one, as every start does. */
async function filesCheck(config: Config): Promise<Check> {
  const store = openFileStore(config);
  try {
    await store.check();
    return checked('files', 'ok', { code: 'filesGood', values: { place: store.name } });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return checked('files', 'missing', mistakesFound(error.mistakes), variable('FILES_URL'));
  } finally {
    store.close();
  }
}

/** Clocks of other machines: the database's, and those by which the partners date their answers. */
function clocksOf({ config, database }: Pick<Checked, 'config' | 'database'>, ask: Fetch) {
  const clocks = providerNames.flatMap((name) => {
    const address = config?.providers[name]?.endpoint;
    return address ? [partnerClock(new URL(address), ask)] : [];
  });
  // An embedded database, and a proxy to a partner on this machine, have this machine's clock and prove nothing.
  const servers = (database && serversOf(database.url)) ?? [];
  const isElsewhere = servers.length > 0 && servers.every(({ host }) => !isThisMachine(host));
  if (database && isElsewhere) {
    const name = servers.map((server) => server.name).join(', ');
    clocks.push({
      name,
      host: servers[0]?.host ?? '',
      precisionMs: 0,
      read: () => databaseTime(database.db),
    });
  }
  return clocks.filter(({ host }) => !isThisMachine(host));
}

const partnerClock = (
  { origin, host, hostname }: URL,
  ask: Fetch,
): OtherClock & { host: string } => ({
  name: host,
  host: hostname,
  // The header has whole seconds.
  precisionMs: 1000,
  read: async () => {
    const answer = await ask(origin, { method: 'HEAD', redirect: 'manual' });
    const date = answer.headers.get('date');
    return date ? new Date(date) : null;
  },
});
