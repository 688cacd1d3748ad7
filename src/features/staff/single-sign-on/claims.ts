import { roles, type Role } from '../roles.ts';
import type { PasswordAccounts } from '../passwords.ts';
import type { SingleSignOnOffer } from '../sign-in-form.tsx';
import type { CodeIn } from '~/base/text-keys.ts';

/** What an identity provider says of a person, by claim. */
export type Claims = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The texts of a claim that holds one or several; none for any other kind of value. */
const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

/**
 * A claim by its name, or by a path with dots (`realm_access.roles`, Keycloak). The whole name counts first: some
 * providers name claims by addresses, which have dots as well.
 */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      claims,
    );
}

/**
 * The role that the provider's groups or roles stand for; the highest where several are mapped. Null where none is,
 * which means that the person may not sign in.
 */
export function roleOf(
  claims: Claims,
  {
    roleClaim,
    roles: mapping,
  }: { roleClaim: string; roles: readonly { value: string; role: Role }[] },
): Role | null {
  const given = textsOf(claimAt(claims, roleClaim));
  const mapped = mapping.filter(({ value }) => given.includes(value)).map(({ role }) => role);
  return roles.findLast((role) => mapped.includes(role)) ?? null;
}

/**
 * Whether the provider says that it asked for a second factor, in words that the operator trusts: one of `amr` (RFC
 * 8176), or the class `acr`. Without such words it never does.
 */
export function tellsOfSecondFactor(
  claims: Claims,
  { amr, acr }: { amr: readonly string[]; acr: readonly string[] },
): boolean {
  return (
    textsOf(claims.amr).some((method) => amr.includes(method)) ||
    (typeof claims.acr === 'string' && acr.includes(claims.acr))
  );
}

/** What the sign-in page offers beside passwords; null without an identity provider. */
export function singleSignOnOffer({
  config,
}: {
  config: { singleSignOn?: { name: string } | undefined; passwordAccounts: PasswordAccounts };
}): SingleSignOnOffer | null {
  const { singleSignOn, passwordAccounts } = config;
  if (!singleSignOn) return null;
  const passwords =
    passwordAccounts === 'all' ? 'all' : passwordAccounts.length > 0 ? 'some' : 'none';
  return { name: singleSignOn.name, passwords };
}

/** Why a sign-in at the identity provider did not lead to the desk. Texts are `staff:signOn.problem.<code>`. */
export type SignOnProblem = CodeIn<'staff', 'signOn.problem'>;

/** The status of the page that says so. */
export const statusOfProblem: Record<SignOnProblem, number> = {
  denied: 403,
  interrupted: 400,
  away: 503,
  misconfigured: 502,
  untrusted: 400,
  clock: 502,
  no_role: 403,
  no_account: 403,
  unverified_email: 403,
  deactivated: 403,
  other_person: 403,
  not_proved: 403,
  not_again: 403,
  no_sign_in_time: 502,
  signed_out: 401,
  limit: 429,
};
