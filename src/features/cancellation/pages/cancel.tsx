import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { limitsOf } from '~/features/application/status/limits.server.ts';
import { sessionHashOf } from '~/features/order/payer/session.server.ts';
import { operatorNow } from '~/features/settings/operator.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { addressContext, platformContext } from '~/platform/http/request.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { Notice } from '~/ui/notice.tsx';
import { isUuid } from '~/base/uuid.ts';
import { cancelOrder } from '../cancel-order.server.ts';
import {
  cancelView,
  orderToCancel,
  type CancelAsked,
  type CancelView,
} from '../cancel-view.server.ts';
import { ChooseForm } from '../choose-form.tsx';
import { DoneView, LinkView, NothingView, statusPath } from '../plain-views.tsx';
import { QuoteForm } from '../quote-form.tsx';
import type { Route } from './+types/cancel.ts';

export const handle = { scriptFree: true };
export const headers = () => PRIVATE_PAGE;

/** Longest number of a form, and most applications in one. */
const LONGEST = 40;
const MOST = 40;

const toStatus = (ref: string) => redirect(statusPath(ref), { headers: PRIVATE_PAGE });

function askedIn(query: URLSearchParams): CancelAsked {
  return {
    ref: (query.get('ref') ?? '').slice(0, LONGEST),
    applications: query.getAll('app').slice(0, MOST),
    isChosen: query.has('chosen'),
    done: query.get('done'),
  };
}

/** What cancelling pays back; a look-up like any other, limited like any other. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const asked = askedIn(new URL(request.url).searchParams);
  const { allowed } = await limitsOf(platform).lookup.consume(context.get(addressContext));
  if (!allowed) return toStatus(asked.ref);
  const view = await cancelView(platform, asked, sessionHashOf(platform, request));
  if (!view) return toStatus(asked.ref);
  const { supportEmail } = await operatorNow(platform);
  return data({ view, ref: asked.ref, supportEmail }, { headers: PRIVATE_PAGE });
}

/** Cancels what the page showed, and shows the amounts anew where they are no longer right. */
export async function action({ request, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  const ref = formText(form, 'ref').slice(0, LONGEST);
  // Its answer tells whether there is such an order.
  const { allowed } = await limitsOf(platform).lookup.consume(context.get(addressContext));
  const order = allowed ? await orderToCancel(platform.db, ref) : null;
  const id = formText(form, 'id');
  if (!order || !isUuid(id)) return toStatus(ref);
  const numbers = form.getAll('app').filter((value) => typeof value === 'string');
  const cancelled = await cancelOrder(platform, {
    id,
    orderNumber: order.number,
    numbers: [...new Set(numbers)].slice(0, MOST),
    shown: formText(form, 'shown'),
    sessionHash: sessionHashOf(platform, request),
  });
  if (cancelled.ok) {
    const done = new URLSearchParams({ ref, done: cancelled.value.id });
    return redirect(`/status/cancel?${done}`, { status: 303, headers: PRIVATE_PAGE });
  }
  const { code } = cancelled.error;
  const status = code === 'not_payer' ? 403 : 409;
  return data({ code }, { status, headers: PRIVATE_PAGE });
}

/** A page on which nothing is refunded does not promise a refund. */
function titleOf(view: CancelView): 'title' | 'done.title' | 'quote.cancelOnly' {
  if (view.kind === 'done') return 'done.title';
  return view.kind === 'quote' && view.total.minor === 0 ? 'quote.cancelOnly' : 'title';
}

function CancelPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('cancellation');
  const { view, ref, supportEmail } = loaderData;
  const problem = actionData?.code;
  const title = t(titleOf(view));
  return (
    <NarrowPage>
      <FormHead
        problems={
          view.kind === 'choose' && view.isMissing
            ? [{ name: 'app', message: t('choose.none') }]
            : []
        }
        title={`${title} · Lale`}
      />
      <meta content="noindex" name="robots" />
      <PageHead title={title} />
      {problem === 'changed' && view.kind === 'quote' ? (
        <Notice className="mb-7" role="alert" title={t('problem.changed')} tone="amber">
          {t('problem.changedText')}
        </Notice>
      ) : null}
      {problem === 'not_open' || problem === 'other_order' ? (
        <Notice className="mb-7" role="alert" title={t('problem.notOpen')} tone="amber" />
      ) : null}
      {problem === 'not_refundable' ? (
        <Notice className="mb-7" role="alert" title={t('problem.notRefundable')} tone="red">
          {t('problem.contact', { email: supportEmail })}
        </Notice>
      ) : null}
      {view.kind === 'link' ? <LinkView reference={ref} /> : null}
      {view.kind === 'nothing' ? <NothingView reference={ref} why={view.why} /> : null}
      {view.kind === 'choose' ? <ChooseForm reference={ref} view={view} /> : null}
      {view.kind === 'quote' ? <QuoteForm quote={view} reference={ref} /> : null}
      {view.kind === 'done' ? <DoneView reference={ref} refund={view.refund} /> : null}
    </NarrowPage>
  );
}

export { CancelPage as default };
