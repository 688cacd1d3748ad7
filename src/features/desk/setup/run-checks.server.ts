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
  command,
  guide,
  page,
  type Mend,
  type Finding,
} from './setup-check.ts';
import { accountRights, databaseTime } from './setup-store.server.ts';
import { z } from 'zod';
import { callbackAddress } from '~/features/staff/single-sign-on/identity-provider.server.ts';
import { isSafe } from '~/platform/config/config-card-gateway.server.ts';
import type { SingleSignOnConfig } from '~/platform/config/config-single-sign-on.server.ts';

/** What sign-in needs of a provider's description (OpenID Connect Discovery 1.0, section 3). */
const description = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string().optional(),
  token_endpoint: z.string().optional(),
  jwks_uri: z.string().optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
});
const keys = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) });

const ADDRESSES = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/**
 * Whether the identity provider of staff answers, is who the configuration names, and offers what sign-in needs. Whether
 * it accepts our client shows only when somebody signs in.
 */
export async function signOnCheck(
  { issuer }: Pick<SingleSignOnConfig, 'issuer'>,
  publicUrl: string,
  ask: Fetch,
): Promise<Check> {
  const mend = [
    variable('STAFF_SSO_ISSUER'),
    guide('docs/operations.md, “Single sign-on of staff”'),
  ];
  const missing = (...found: Finding[]) => checked('signOn', 'missing', found, ...mend);
  const address = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
  const answer = await readJson(address, description, ask);
  if ('reason' in answer) {
    return missing({ code: 'signOnAway', values: { address, reason: answer.reason } });
  }
  const { value } = answer;
  const found: Finding[] = [];
  if (value.issuer.replace(/\/+$/, '') !== issuer.replace(/\/+$/, '')) {
    found.push({ code: 'signOnOther', values: { issuer, found: value.issuer } });
  }
  for (const field of ADDRESSES) {
    const there = value[field];
    if (there === undefined) found.push({ code: 'signOnMissing', values: { field } });
    else if (!isSafe(there)) found.push({ code: 'signOnPlain', values: { field } });
  }
  // Providers may leave it out and support it nevertheless.
  const methods = value.code_challenge_methods_supported;
  if (methods && !methods.includes('S256')) {
    found.push({ code: 'signOnMissing', values: { field: 'PKCE S256' } });
  }
  if (found.length > 0 || value.jwks_uri === undefined) return missing(...found);
  const shown = await readJson(value.jwks_uri, keys, ask);
  if ('reason' in shown) {
    const values = { address: value.jwks_uri, reason: shown.reason };
    return missing({ code: 'signOnKeys', values });
  }
  const values = {
    issuer: value.issuer,
    url: callbackAddress({ publicUrl }),
  };
  return checked('signOn', 'ok', { code: 'signOnGood', values });
}

async function readJson<T>(
  address: string,
  schema: z.ZodType<T>,
  ask: Fetch,
): Promise<{ value: T } | { reason: string }> {
  try {
    const answer = await ask(address, { headers: { accept: 'application/json' } });
    if (!answer.ok) return { reason: String(answer.status) };
    const parsed = schema.safeParse(await answer.json());
    return parsed.success ? { value: parsed.data } : { reason: 'JSON' };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

/** The checks of which the configuration alone tells something, with the variables that they are about. */
const variablesOf = {
  keys: /^(SECRETS|ENCRYPTION_KEYS|LOOKUP_KEY|METRICS_TOKEN|ADMIN_PASSWORD)$/,
  tls: /^PUBLIC_URL$/,
  mail: /^MAIL_/,
  files: /^(FILES_|AWS_)/,
  database: /^(DATABASE_|DATA_DIR$)/,
  partners: /^(CARD_GATEWAY_|CARD_PARTNER$|PAYPAL_|STRIPE_)/,
  operator: /^OPERATOR_/,
  signOn: /^STAFF_/,
} as const satisfies Partial<Record<CheckId, RegExp>>;
type ConfigurationCheckId = keyof typeof variablesOf;

const mends: Record<ConfigurationCheckId, Mend[]> = {
  keys: [command('npm run lale -- keys')],
  tls: [variable('PUBLIC_URL')],
  mail: [variable('MAIL_URL'), variable('MAIL_FROM')],
  files: [variable('FILES_URL')],
  database: [variable('DATABASE_URL')],
  partners: [guide('docs/operations.md, “The card partner”, “PayPal”, “Stripe”')],
  operator: [page('/admin/settings/operator')],
  signOn: [guide('docs/operations.md, “Single sign-on of staff”')],
};

const nameOf = (mistake: string): string => mistake.split(/[:,]/)[0] ?? '';
const isAbout = (id: ConfigurationCheckId) => (mistake: string) =>
  variablesOf[id].test(nameOf(mistake));

/** What stands in the way of one check; null where the configuration says nothing against it. */
function configurationCheck(id: ConfigurationCheckId, mistakes: readonly string[]): Check | null {
  const its = mistakes.filter(isAbout(id));
  if (its.length === 0) return null;
  const names = its.map(nameOf);
  const named = mends[id].filter(({ kind, text }) => kind !== 'variable' || names.includes(text));
  return checked(id, 'missing', mistakesFound(its), ...(named.length > 0 ? named : mends[id]));
}

/** The mode, and every mistake that no other check shows. */
function modeCheck(mode: string | undefined, mistakes: readonly string[]): Check {
  const others = mistakes.filter(
    (mistake) => !Object.values(variablesOf).some((names) => names.test(nameOf(mistake))),
  );
  const isLive = mode === 'live';
  const own = { code: isLive ? ('modeLive' as const) : ('modeTest' as const) };
  return checked(
    'mode',
    isLive && others.length === 0 ? 'ok' : 'missing',
    [own, ...mistakesFound(others)],
    ...(isLive ? [] : [variable('MODE=live')]),
    ...(others.length === 0 ? [] : [guide('docs/operations.md, “Variables”')]),
  );
}

const keysCheck = (mistakes: readonly string[]): Check =>
  configurationCheck('keys', mistakes) ?? checked('keys', 'ok', { code: 'keysGood' });

/** Another clock: what it is called, and what it says, to `precisionMs`. */
export type OtherClock = { name: string; precisionMs: number; read: () => Promise<Date | null> };

/** Codes of the second factor are refused from 30 seconds on; PayPal's signatures and our links expire by the clock. */
const FARTHEST_MS = 5000;

/**
 * Whether this machine's clock agrees with others. One reading is as good as the time it took, so a difference counts
 * only beyond that and the other clock's precision.
 */
export async function clockCheck(now: () => Date, others: readonly OtherClock[]): Promise<Check> {
  const readings = await Promise.all(
    others.map(async ({ name, precisionMs, read }) => {
      const before = now().getTime();
      const time = await read().catch(() => null);
      const after = now().getTime();
      if (!time) return [];
      const earliest = time.getTime() - after;
      const latest = time.getTime() + precisionMs - before;
      // Zero where our clock fits between the two.
      return [{ name, offMs: earliest > 0 ? earliest : Math.max(0, -latest) }];
    }),
  );
  const offsets = readings.flat();
  const mend = command('timedatectl set-ntp true');
  if (offsets.length === 0) return checked('clock', 'unknown', { code: 'clockAlone' }, mend);
  const off = offsets.filter(({ offMs }) => offMs > FARTHEST_MS);
  const namesOf = (list: typeof offsets) => list.map(({ name }) => name).join(', ');
  if (off.length === 0) {
    return checked('clock', 'ok', { code: 'clockGood', values: { names: namesOf(offsets) } });
  }
  const seconds = Math.round(Math.max(...off.map(({ offMs }) => offMs)) / 1000);
  const values = { names: namesOf(off), seconds };
  return checked('clock', 'missing', { code: 'clockOff', values }, mend);
}

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
