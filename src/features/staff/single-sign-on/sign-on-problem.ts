import type { CodeIn } from '~/base/text-keys.ts';

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
