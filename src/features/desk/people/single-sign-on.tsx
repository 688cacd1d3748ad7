import { data, redirect } from 'react-router';
import { guessLimits } from '~/features/staff/limits.server.ts';
import { requestSession } from '~/features/staff/session.server.ts';
import {
  beginSignOn,
  type SignOnPurpose,
  statusOfProblem,
  type SignOnProblem,
} from '~/features/staff/sign-on.server.ts';
import { pageAfterSignIn } from '~/features/staff/staff.ts';
import { cookieHeader } from '~/platform/http/cookies.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Route } from './+types/single-sign-on.ts';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { GatePage } from './gate-page.tsx';

/**
 * Sends the browser to the identity provider. `for=again` is about the account that is signed in here; without a session
 * it leads to the sign-in page.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  if (!platform.config.singleSignOn) throw data(null, { status: 404 });
  const query = new URL(request.url).searchParams;
  const next = pageAfterSignIn(query.get('next'));
  if (!isPressed(request)) {
    const page = next === '/admin' ? next : `/admin?next=${encodeURIComponent(next)}`;
    return redirect(page);
  }
  // While the provider is away, each beginning waits for it.
  const { allowed } = await guessLimits(platform).signOn.consume(context.get(addressContext));
  if (!allowed) return failed('limit');
  const purpose = await purposeOf(platform, request, query.get('for'));
  if (!purpose) return redirect('/admin/account');
  const begun = await beginSignOn(platform, {
    purpose,
    next,
    language: context.get(languageContext),
  });
  if (begun.ok) {
    const { address, cookie } = begun.value;
    return redirect(address, { headers: cookieHeader(cookie) });
  }
  if (begun.error === 'not_configured') throw data(null, { status: 404 });
  return failed(begun.error);
}

/**
 * Whether somebody pressed a link or a button, as far as the browser says (Fetch Metadata): a page of another site sends
 * nobody to the provider, which may know them and send them back signed in. Other sites' links are welcome.
 */
const isPressed = ({ headers }: Request): boolean =>
  headers.get('sec-fetch-site') !== 'cross-site' || headers.get('sec-fetch-user') === '?1';

const failed = (problem: SignOnProblem) => data({ problem }, { status: statusOfProblem[problem] });

/** Null where a session is missing. */
async function purposeOf(
  platform: Platform,
  request: Request,
  asked: string | null,
): Promise<SignOnPurpose | null> {
  if (asked !== 'again') return { kind: 'sign_in' };
  const found = await requestSession(platform, request);
  return found && !found.session.half ? { kind: 'again', session: found.session.id } : null;
}

export default function SingleSignOnPage({ loaderData }: Route.ComponentProps) {
  return <SignOnFailure problem={loaderData.problem} />;
}

/** Says why a sign-in at the identity provider did not lead to the desk, and what to do. */
export function SignOnFailure({ problem }: { problem: SignOnProblem }) {
  const { t } = useTranslation('staff');
  return (
    <GatePage title={t('signOn.failed')}>
      <Notice className="mt-4" role="alert" tone={problem === 'denied' ? 'amber' : 'red'}>
        {t(`signOn.problem.${problem}`)}
      </Notice>
      <p className="mt-4 text-center">
        <Link to="/admin">{t('signIn.title')}</Link>
      </p>
    </GatePage>
  );
}
