import {
  checked,
  command,
  guide,
  mistakesFound,
  page,
  variable,
  type Check,
  type CheckId,
  type Mend,
} from './setup-check.ts';

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
export function configurationCheck(
  id: ConfigurationCheckId,
  mistakes: readonly string[],
): Check | null {
  const its = mistakes.filter(isAbout(id));
  if (its.length === 0) return null;
  const names = its.map(nameOf);
  const named = mends[id].filter(({ kind, text }) => kind !== 'variable' || names.includes(text));
  return checked(id, 'missing', mistakesFound(its), ...(named.length > 0 ? named : mends[id]));
}

/** The mode, and every mistake that no other check shows. */
export function modeCheck(mode: string | undefined, mistakes: readonly string[]): Check {
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

export const keysCheck = (mistakes: readonly string[]): Check =>
  configurationCheck('keys', mistakes) ?? checked('keys', 'ok', { code: 'keysGood' });
