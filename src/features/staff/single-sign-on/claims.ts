import { roles, type Role } from '../roles.ts';

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
