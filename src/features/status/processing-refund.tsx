import { data, redirect } from 'react-router';
import { formatMoney } from '~/base/money.ts';
import { isUuid } from '~/base/uuid.ts';
import { limitsOf } from './lookup.server.ts';
import { sessionHashOf } from '~/features/order/payer/session.server.ts';
import { operatorNow } from '~/features/settings/operator.server.ts';
import { PRIVATE_PAGE, addressContext, platformContext } from '~/platform/http/request.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useDeadlines } from '~/ui/moment.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { ConfirmForm, LinkView, statusPath, useArrival } from './plain-views.tsx';
import {
  processingRefundView,
  refundProcessing,
  type ProcessingRefundView,
} from './processing-refund.server.ts';
import type { Route } from './+types/processing-refund.ts';

export const handle = { scriptFree: true };
export const headers = () => PRIVATE_PAGE;

/** Longest number of a form. */
const LONGEST = 40;

const toStatus = (ref: string) => redirect(statusPath(ref), { headers: PRIVATE_PAGE });

/** What is refunded because we missed the promised moment; a look-up like any other, limited like any other. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const query = new URL(request.url).searchParams;
  const ref = (query.get('ref') ?? '').slice(0, LONGEST);
  const { allowed } = await limitsOf(platform).lookup.consume(context.get(addressContext));
  if (!allowed) return toStatus(ref);
  const asked = { ref, done: query.get('done') };
  const view = await processingRefundView(platform, asked, sessionHashOf(platform, request));
  if (!view) return toStatus(ref);
  const { supportEmail } = await operatorNow(platform);
  return data({ view, ref, supportEmail }, { headers: PRIVATE_PAGE });
}

/** Refunds what the page showed. */
export async function action({ request, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  const ref = formText(form, 'ref').slice(0, LONGEST);
  const id = formText(form, 'id');
  // Its answer tells whether there is such an application.
  const { allowed } = await limitsOf(platform).lookup.consume(context.get(addressContext));
  if (!allowed || !isUuid(id)) return toStatus(ref);
  const asked = { id, number: ref, shown: formText(form, 'shown') };
  const sessionHash = sessionHashOf(platform, request);
  const refunded = await refundProcessing(platform, { ...asked, sessionHash });
  if (refunded.ok) {
    const done = new URLSearchParams({ ref, done: refunded.value.id });
    return redirect(`/status/processing-refund?${done}`, { status: 303, headers: PRIVATE_PAGE });
  }
  const { code } = refunded.error;
  return data({ code }, { status: code === 'not_payer' ? 403 : 409, headers: PRIVATE_PAGE });
}

function ProcessingRefundPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('cancellation');
  const { view, ref, supportEmail } = loaderData;
  const title = t(view.kind === 'done' ? 'late.doneTitle' : 'late.title');
  return (
    <NarrowPage>
      <title>{`${title} · Lale`}</title>
      <meta content="noindex" name="robots" />
      <PageHead title={title} />
      {actionData?.code === 'not_refundable' ? (
        <Notice className="mb-7" role="alert" title={t('late.notRefundable')} tone="red">
          {t('late.contact', { email: supportEmail })}
        </Notice>
      ) : null}
      {view.kind === 'link' ? <LinkView reference={ref} /> : null}
      {view.kind === 'none' ? <NoneView reference={ref} /> : null}
      {view.kind === 'quote' ? <QuoteView quote={view} /> : null}
      {view.kind === 'done' ? <DoneView reference={ref} total={view.total} /> : null}
    </NarrowPage>
  );
}

function NoneView({ reference }: { reference: string }) {
  const { t } = useTranslation('cancellation');
  return (
    <>
      <p>{t('late.none')}</p>
      <FormActions>
        <ButtonLink to={statusPath(reference)}>{t('back')}</ButtonLink>
      </FormActions>
    </>
  );
}

type View<Kind> = Extract<ProcessingRefundView, { kind: Kind }>;

/** What is refunded and why, and the button that does it. */
function QuoteView({
  quote: { id, shown, number, name, promisedAt, total },
}: {
  quote: View<'quote'>;
}) {
  const { t } = useTranslation(['cancellation', 'application']);
  const language = useLanguage();
  const arrival = useArrival();
  const deadline = useDeadlines();
  const amount = formatMoney(total, language);
  return (
    <>
      <p className="lead" data-testid="refund">
        {t('late.total', { amount })}
      </p>
      <p className="mt-6 font-semibold">{t('what', { what: t('application:kind.visa'), name })}</p>
      {promisedAt ? (
        <p className="mt-2">
          {t('late.why', {
            moment: deadline(promisedAt, 'long'),
          })}
        </p>
      ) : null}
      <ul className="mt-4 grid list-disc gap-2 ps-6">
        <li>{t('late.keeps')}</li>
        <li>
          {t('quote.method')} {arrival}
        </li>
      </ul>
      <p className="mt-4">
        <Link to="/cancellation-policy">{t('quote.policy')}</Link>
      </p>
      <ConfirmForm id={id} leave={t('back')} reference={number} shown={shown}>
        <Button>{t('late.button', { amount })}</Button>
      </ConfirmForm>
    </>
  );
}

function DoneView({ reference, total }: { reference: string; total: View<'done'>['total'] }) {
  const { t } = useTranslation('cancellation');
  const language = useLanguage();
  const arrival = useArrival();
  return (
    <>
      <p role="status">{t('done.refund', { amount: formatMoney(total, language) })}</p>
      <p className="mt-3">{arrival}</p>
      <p className="mt-3">{t('late.doneText')}</p>
      <FormActions>
        <ButtonLink to={statusPath(reference)}>{t('back')}</ButtonLink>
      </FormActions>
    </>
  );
}

export { ProcessingRefundPage as default };
