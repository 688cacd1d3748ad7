import { providerNames } from '~/base/payment-providers.ts';
import { lastNotificationMoment } from '~/features/payment/settlement/callbacks.server.ts';
import { askCardGateway } from '~/features/payment/providers/card-gateway.server.ts';
import type { NoAnswer } from '~/features/payment/provider.ts';
import {
  askPaypalWebhook,
  missingEvents,
} from '~/features/payment/providers/paypal-client.server.ts';
import {
  askStripeWebhook,
  missingEvents as missingStripeEvents,
} from '~/features/payment/providers/stripe-client.server.ts';
import { type Config, inspectConfig } from '~/platform/config/config.server.ts';
import { type Database, openDatabase } from '~/platform/postgres/database.server.ts';
import {
  makeFinding,
  guideMend,
  formatUtcMinute,
  missing,
  passCheck,
  unknown,
  variableMend,
  type CheckFinding,
  type CheckReport,
  commandMend,
  mistakesFound,
  pageMend,
  type CompletedCheck,
  type CheckId,
  type CheckMend,
  countCheckStates,
  hasObstacle,
  type CheckState,
} from './setup-check.ts';
import { resolveTxt } from 'node:dns/promises';
import type { Pool } from 'pg';
import { errorReason } from '~/base/error-reason.ts';
import { mailServerAccepts } from '~/platform/mail/mail.server.ts';
import { mailboxAccepts } from '~/platform/mail/mailbox.server.ts';
import {
  accountRights,
  accountsCheck,
  backupsCheck,
  databaseCheck,
  factorsCheck,
  insuranceCheck,
  operatorCheck,
} from './database-checks.server.ts';
import {
  askCertificateEnd,
  clockCheck,
  otherClocks,
  filesCheck,
  mailboxCheck,
  mailCheck,
  proxyCheck,
  senderCheck,
  signOnCheck,
  tlsCheck,
  type CertificateEnd,
  type Fetch,
  type ResolveTxt,
} from './reach-checks.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import { visitDatabase } from '~/platform/postgres/embedded/open-embedded.server.ts';

type Providers = Config['providers'];

const FIRST_PAYMENT = guideMend('docs/going-live.md, “The first dollar”');
const PAYPAL_WEBHOOK = guideMend('docs/operations.md, “PayPal”');
const STRIPE_WEBHOOK = guideMend('docs/operations.md, “Stripe”');

/** Whether the card partner answers and accepts what we sign. It is told where to notify us with every payment. */
export async function cardCheck(gateway: NonNullable<Providers['card']>): Promise<CheckReport> {
  const { host } = new URL(gateway.endpoint);
  const answer = await askCardGateway(gateway);
  if (answer === 'accepted') return passCheck(makeFinding('cardGood', { host }));
  if (answer === 'same') return unknown(makeFinding('cardSame', { host }), FIRST_PAYMENT);
  return answer === 'refused'
    ? missing(
        makeFinding('partnerRefuses', { host }),
        variableMend('CARD_GATEWAY_MERCHANT_ID'),
        variableMend('CARD_GATEWAY_PRIVATE_KEY'),
      )
    : missing(partnerAway(host, answer), variableMend('CARD_GATEWAY_ENDPOINT'));
}

/** Whether PayPal answers, accepts our app, and has its webhook lead here with every event that we need. */
export async function paypalCheck(
  account: NonNullable<Providers['paypal']>,
  publicUrl: string,
): Promise<CheckReport> {
  const { host } = new URL(account.endpoint);
  const url = `${publicUrl}/api/payment/notification/paypal`;
  const answer = await askPaypalWebhook(account);
  if (answer === 'refused') {
    const account = [variableMend('PAYPAL_CLIENT_ID'), variableMend('PAYPAL_CLIENT_SECRET')];
    return missing(makeFinding('partnerRefuses', { host }), ...account);
  }
  if (answer === 'unknown_webhook') {
    return missing(makeFinding('webhookUnknown', { host }), variableMend('PAYPAL_WEBHOOK_ID'));
  }
  if ('noAnswer' in answer)
    return missing(partnerAway(host, answer), variableMend('PAYPAL_ENDPOINT'));
  if (answer.url !== url) {
    const elsewhere = makeFinding('webhookElsewhere', { url: answer.url, expected: url });
    return missing(elsewhere, PAYPAL_WEBHOOK);
  }
  const events = missingEvents(answer).join(', ');
  return events === ''
    ? passCheck(makeFinding('webhookGood', { host, url }))
    : missing(makeFinding('webhookEvents', { events }), PAYPAL_WEBHOOK);
}

/** Whether Stripe answers, accepts our key with every right to read, and has a webhook that leads here with every event that we need. */
export async function stripeCheck(
  account: NonNullable<Providers['stripe']>,
  publicUrl: string,
): Promise<CheckReport> {
  const { host } = new URL(account.endpoint);
  const url = `${publicUrl}/api/payment/notification/stripe`;
  const answer = await askStripeWebhook(account, url);
  if (answer === 'refused') {
    return missing(makeFinding('partnerRefuses', { host }), variableMend('STRIPE_SECRET_KEY'));
  }
  if (answer === 'no_webhook')
    return missing(makeFinding('webhookNone', { host, url }), STRIPE_WEBHOOK);
  if ('noAnswer' in answer)
    return missing(partnerAway(host, answer), variableMend('STRIPE_ENDPOINT'));
  if ('lacking' in answer) {
    const rights = answer.lacking.join(', ');
    return missing(makeFinding('keyRights', { host, rights }), STRIPE_WEBHOOK);
  }
  const events = missingStripeEvents(answer.events).join(', ');
  return events === ''
    ? passCheck(makeFinding('webhookGood', { host, url }))
    : missing(makeFinding('webhookEvents', { events }), STRIPE_WEBHOOK);
}

/** Whether each partner has told us of anything yet: only that proves that its notifications arrive and are accepted. */
export async function notificationsCheck(
  { providers }: Pick<Config, 'providers'>,
  db: Database,
): Promise<CheckReport> {
  const findings: CheckFinding[] = [];
  let isSilent = false;
  for (const provider of providerNames) {
    const endpoint = providers[provider]?.endpoint;
    if (endpoint === undefined) continue;
    const at = await lastNotificationMoment(db, provider, endpoint);
    const name = new URL(endpoint).host;
    isSilent ||= at === null;
    findings.push(
      at
        ? makeFinding('heardGood', { name, moment: formatUtcMinute(at) })
        : makeFinding('heardNever', { name }),
    );
  }
  return isSilent ? unknown(findings, FIRST_PAYMENT) : passCheck(findings);
}

const partnerAway = (host: string, { noAnswer: reason }: NoAnswer): CheckFinding =>
  makeFinding('partnerAway', { host, reason });

type CheckInput = {
  /** Null where the variables do not make one: `mistakes` then say why, and only what needs none is checked. */
  config: Config | null;
  /** What live mode says against the variables. */
  mistakes: readonly string[];
  mode: string | undefined;
  /** Null where there is none, or none can be opened. */
  database: { db: Database; pool: Pool; url: string } | null;
};

/** What the checks ask outside this process. */
export type OutsideAccess = {
  resolve: ResolveTxt;
  ask: Fetch;
  certificateEnd: CertificateEnd;
  now: () => Date;
};

type Asked = CheckInput & OutsideAccess & { hasSchema: Promise<boolean> };
/** Null where there is nothing to check. */
type Answer = CheckReport | null | Promise<CheckReport | null>;

type SetupCheck = {
  id: CheckId;
  /** The names of the variables of which live mode may say something: that is then the answer. */
  variables?: RegExp;
  mend?: readonly CheckMend[];
  check: (asked: Asked) => Answer;
};

const withConfig =
  (check: (config: Config, asked: Asked) => Answer) =>
  (asked: Asked): Answer =>
    asked.config ? check(asked.config, asked) : unknown(makeFinding('needsAddress'));

const noDatabase = ({ config }: Asked): CheckReport =>
  unknown(makeFinding(config ? 'needsDatabase' : 'needsAddress'));

const withSchema =
  (check: (db: Database, asked: Asked) => Answer) =>
  async (asked: Asked): Promise<CheckReport | null> =>
    asked.database && (await asked.hasSchema) ? check(asked.database.db, asked) : noDatabase(asked);

const isMistaken = ({ mistakes }: Asked, prefix: string): boolean =>
  mistakes.some((mistake) => mistake.startsWith(prefix));

/** What is checked before money is taken, in the order in which it is put right. */
const checks: readonly SetupCheck[] = [
  { id: 'mode', check: modeCheck },
  {
    id: 'keys',
    variables: /^(SECRETS|ENCRYPTION_KEYS|LOOKUP_KEY|METRICS_TOKEN|ADMIN_PASSWORD)$/,
    mend: [commandMend('npm run lale -- keys')],
    check: () => passCheck(makeFinding('keysGood')),
  },
  {
    id: 'tls',
    variables: /^PUBLIC_URL$/,
    mend: [variableMend('PUBLIC_URL')],
    check: withConfig(tlsCheck),
  },
  { id: 'proxy', check: withConfig((config, { ask }) => proxyCheck(config, ask)) },
  {
    id: 'mail',
    variables: /^MAIL_/,
    mend: [variableMend('MAIL_URL'), variableMend('MAIL_FROM')],
    check: withConfig((config) => mailCheck(config, () => mailServerAccepts(config))),
  },
  {
    id: 'mailbox',
    check: ({ config }) => {
      const { mailbox, mode } = config ?? {};
      return mailbox && mode ? mailboxCheck(mailbox, () => mailboxAccepts(mailbox, mode)) : null;
    },
  },
  {
    id: 'sender',
    check: withConfig((config, asked) =>
      isMistaken(asked, 'MAIL_FROM:')
        ? unknown(makeFinding('needsAddress'))
        : senderCheck(config, asked.resolve),
    ),
  },
  {
    id: 'files',
    variables: /^(FILES_|AWS_)/,
    mend: [variableMend('FILES_URL')],
    check: withConfig(filesCheck),
  },
  {
    id: 'database',
    variables: /^(DATABASE_|DATA_DIR$)/,
    mend: [variableMend('DATABASE_URL')],
    check: (asked) =>
      asked.database ? databaseCheck(asked.database.pool, asked.database.url) : noDatabase(asked),
  },
  { id: 'accounts', check: withSchema(accountsCheck) },
  {
    id: 'backups',
    check: withSchema((db, { config, now }) =>
      backupsCheck(db, { recipient: config?.backupRecipient, now }),
    ),
  },
  {
    id: 'partners',
    variables: /^(CARD_GATEWAY_|CARD_PARTNER$|PAYPAL_|STRIPE_)/,
    mend: [guideMend('docs/operations.md, “The card partner”, “PayPal”, “Stripe”')],
    check: () => null,
  },
  // A partner whose own variables are wrong is not asked: secrets could be sent in the clear.
  {
    id: 'card',
    check: (asked) => {
      const card = asked.config?.providers.card;
      return card && !isMistaken(asked, 'CARD_GATEWAY_') ? cardCheck(card) : null;
    },
  },
  {
    id: 'paypal',
    check: (asked) => {
      const paypal = asked.config?.providers.paypal;
      return asked.config && paypal && !isMistaken(asked, 'PAYPAL_')
        ? paypalCheck(paypal, asked.config.publicUrl)
        : null;
    },
  },
  {
    id: 'stripe',
    check: (asked) => {
      const stripe = asked.config?.providers.stripe;
      return asked.config && stripe && !isMistaken(asked, 'STRIPE_')
        ? stripeCheck(stripe, asked.config.publicUrl)
        : null;
    },
  },
  {
    id: 'heard',
    check: (asked) => {
      const { config } = asked;
      return config && providerNames.some((name) => config.providers[name])
        ? withSchema((db) => notificationsCheck(config, db))(asked)
        : null;
    },
  },
  { id: 'insurance', check: withSchema((db, { now }) => insuranceCheck({ db, now })) },
  {
    id: 'operator',
    variables: /^OPERATOR_/,
    mend: [pageMend('/admin/settings/operator')],
    check: withSchema((db, { config, now }) => config && operatorCheck(config, { db, now })),
  },
  {
    id: 'factors',
    check: withSchema((db, { config }) => factorsCheck({ db }, config ?? undefined)),
  },
  {
    id: 'signOn',
    variables: /^STAFF_/,
    mend: [guideMend('docs/operations.md, “Single sign-on of staff”')],
    check: ({ config, ask }) =>
      config?.singleSignOn ? signOnCheck(config.singleSignOn, config.publicUrl, ask) : null,
  },
  { id: 'clock', check: (asked) => clockCheck(asked.now, otherClocks(asked, asked.ask)) },
];

const nameOf = (mistake: string): string => mistake.split(/[:,]/)[0] ?? '';

/** What live mode says against the variables of one check; null where it says nothing. */
function variablesResult(
  { id, variables, mend = [] }: SetupCheck,
  asked: Asked,
): CheckReport | null {
  // What the desk's settings say of the operator counts before the variables.
  if (id === 'operator' && asked.config) return null;
  const its = asked.mistakes.filter((mistake) => variables?.test(nameOf(mistake)));
  if (its.length === 0) return null;
  const names = its.map(nameOf);
  const named = mend.filter(({ kind, text }) => kind !== 'variable' || names.includes(text));
  return missing(mistakesFound(its), ...(named.length > 0 ? named : mend));
}

/** The mode, and every mistake that no other check shows. */
function modeCheck({ mode, mistakes }: Asked): CheckReport {
  const others = mistakes.filter(
    (mistake) => !checks.some(({ variables }) => variables?.test(nameOf(mistake))),
  );
  const isLive = mode === 'live';
  const all = [makeFinding(isLive ? 'modeLive' : 'modeTest'), ...mistakesFound(others)];
  if (isLive && others.length === 0) return passCheck(all);
  return missing(
    all,
    ...(isLive ? [] : [variableMend('MODE=live')]),
    ...(others.length === 0 ? [] : [guideMend('docs/operations.md, “Variables”')]),
  );
}

const TIMEOUT_MS = 8000;

export const openOutsideAccess = (now: () => Date): OutsideAccess => ({
  resolve: resolveTxt,
  ask: (address, options) =>
    fetch(address, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) }),
  certificateEnd: askCertificateEnd(TIMEOUT_MS),
  now,
});

/**
 * Everything that stands between a configuration and taking money, in the order of the list. What travellers and staff
 * see stays as it is; a small file is written and removed where files are kept.
 */
export async function runChecks(
  checked: CheckInput,
  around: OutsideAccess,
  timeoutMs = TIMEOUT_MS + 4000,
): Promise<CompletedCheck[]> {
  const { database } = checked;
  const hasSchema = database ? schemaIsThere(database.db) : Promise.resolve(false);
  const asked = { ...checked, ...around, hasSchema };
  const results = await Promise.all(
    checks.map(async (one) => {
      const result = await finish(() => variablesResult(one, asked) ?? one.check(asked), timeoutMs);
      return result && { id: one.id, ...result };
    }),
  );
  return results.flatMap((check) => check ?? []);
}

/** Whether the database answers and has our tables. Where it does not, its own check says why. */
const schemaIsThere = (db: Database): Promise<boolean> =>
  accountRights(db).then(
    (rights) => rights.hasSchema,
    () => false,
  );

/** One check, which neither fails nor takes longer than it may. */
async function finish(check: () => Answer, timeoutMs: number): Promise<CheckReport | null> {
  const { promise: late, resolve } = Promise.withResolvers<CheckReport>();
  const seconds = Math.round(timeoutMs / 1000);
  const timer = setTimeout(
    () => resolve(unknown(makeFinding('tookTooLong', { seconds }))),
    timeoutMs,
  );
  try {
    return await Promise.race([Promise.resolve().then(check), late]);
  } catch (error) {
    return unknown(makeFinding('failed', { reason: errorReason(error) }));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Lists what stands between this configuration and taking money, in order, each with what mends it. Returns the exit
 * code: 0: nothing does; 1: something does.
 */
export async function doctor(environment: NodeJS.ProcessEnv): Promise<number> {
  const stack = new AsyncDisposableStack();
  try {
    const { config, mistakes } = inspectConfig(environment);
    const opened = await open(config, mistakes, stack);
    const checks = await runChecks(
      {
        config,
        mistakes: [...mistakes, ...opened.mistakes],
        mode: environment.MODE,
        database: opened.database,
      },
      openOutsideAccess(() => new Date()),
    );
    for (const line of checkLines(checks)) console.log(line);
    return hasObstacle(checks) ? 1 : 0;
  } finally {
    await stack.disposeAsync();
  }
}

/** The service's database; where there is none, why. One that would be reached in the clear is not asked. */
async function open(
  config: Config | null,
  mistakes: readonly string[],
  stack: AsyncDisposableStack,
) {
  const isRefused =
    config?.mode === 'live' && mistakes.some((mistake) => /^(DATABASE_|DATA_DIR)/.test(mistake));
  if (!config || isRefused) return { database: null, mistakes: [] };
  try {
    const visited = await visitDatabase(config);
    stack.defer(() => visited.leave());
    const { db, pool, close } = openDatabase(visited.url, { poolSize: 4 });
    stack.defer(close);
    return { database: { db, pool, url: visited.url }, mistakes: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { database: null, mistakes: error.mistakes };
    throw error;
  }
}

const marks: Record<CheckState, string> = { ok: 'ok     ', missing: 'MISSING', unknown: '?      ' };

/** The checks as lines for a terminal, in English: what was found, and below it what mends it. */
export function checkLines(checks: readonly CompletedCheck[]): string[] {
  const t = makeTranslate('en', 'setup');
  const lines = checks.flatMap(({ id, state, found, mend }) => [
    `${marks[state]}  ${t(`check.${id}`)}`,
    ...found.map(({ code, values }) => `         ${t(`found.${code}`, values)}`),
    ...mend.map(({ kind, text }) => `         → ${t(`mend.${kind}`)}: ${text}`),
  ]);
  return [...lines, '', t('counts', countCheckStates(checks))];
}
