import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { limitsOf } from './lookup.server.ts';
import { sessionHashOf } from '~/features/order/payer/session.server.ts';
import { operatorNow } from '~/features/settings/operator.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { addressContext, platformContext, PRIVATE_PAGE } from '~/platform/http/request.server.ts';
import { NarrowPage, PageHead, FormActions } from '~/ui/layout.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { Notice } from '~/ui/notice.tsx';
import { isUuid } from '~/base/uuid.ts';
import { cancelOrder } from './cancel-order.server.ts';
import {
  cancelView,
  orderToCancel,
  type CancelAsked,
  type CancelView,
} from './cancel-view.server.ts';
import {
  DoneView,
  LinkView,
  NothingView,
  statusPath,
  ConfirmForm,
  useArrival,
} from './plain-views.tsx';
import type { Route } from './+types/cancel.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FieldSet } from '~/ui/fields/field-set.tsx';
import { Form } from '~/ui/page/form.tsx';
import { formatMoney } from '~/base/money.ts';
import { lineLabel } from '~/features/order/receipt/receipt-facts.ts';
import { useDeadlines } from '~/ui/moment.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

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

/** Which applications of the order are to be cancelled; none is ticked beforehand. */
function ChooseForm({
  view: { choices, isMissing },
  reference,
}: {
  view: Extract<CancelView, { kind: 'choose' }>;
  reference: string;
}) {
  const { t } = useTranslation(['cancellation', 'application']);
  const error = isMissing ? t('choose.none') : undefined;
  return (
    <Form action="/status/cancel" className="grid gap-6" method="get">
      <input name="ref" type="hidden" value={reference} />
      <input name="chosen" type="hidden" value="yes" />
      <FieldSet
        error={error}
        heading="h2"
        hint={t('choose.hint')}
        label={t('choose.title')}
        name="app"
      >
        {choices.map(({ number, kind, name }, index) => (
          <CheckBox
            id={index === 0 ? 'app' : `app-${index}`}
            key={number}
            label={t('what', { what: t(`application:kind.${kind}`), name })}
            name="app"
            value={number}
          />
        ))}
      </FieldSet>
      <FormActions>
        <Button>{t('choose.button')}</Button>
        <ButtonLink look="plain" to={statusPath(reference)}>
          {t('keep')}
        </ButtonLink>
      </FormActions>
    </Form>
  );
}

type Quote = Extract<CancelView, { kind: 'quote' }>;

/**
 * What is refunded, line by line, and until when; with the button that cancels.
 */
function QuoteForm({ quote, reference }: { quote: Quote; reference: string }) {
  const { t } = useTranslation('cancellation');
  const language = useLanguage();
  const arrival = useArrival();
  const deadline = useDeadlines();
  const amount = formatMoney(quote.total, language);
  const isNothing = quote.total.minor === 0;
  const again = new URLSearchParams({ ref: reference });
  return (
    <>
      <p className="lead" data-testid="refund">
        {isNothing ? t('quote.nothing') : t('quote.total', { amount })}
      </p>
      {quote.applications.map((application) => (
        <QuoteTable application={application} key={application.number} />
      ))}
      {quote.holdsUntil ? (
        <p className="mt-6" data-testid="holds-until">
          {t(quote.isWhilePending ? 'quote.untilPending' : 'quote.until', {
            moment: deadline(quote.holdsUntil, 'long'),
          })}
        </p>
      ) : null}
      <ul className="mt-4 grid list-disc grid-cols-1 gap-2 ps-6">
        <li>{t('quote.final')}</li>
        {quote.endsCover ? <li>{t('quote.endsCover')}</li> : null}
        {quote.leavesOthers ? <li>{t('quote.leavesOthers')}</li> : null}
        {isNothing ? null : (
          <li>
            {t('quote.method')} {arrival}
          </li>
        )}
      </ul>
      <p className="mt-4">
        <Link to="/cancellation-policy">{t('quote.policy')}</Link>
      </p>
      <ConfirmForm
        id={quote.id}
        leave={t('keep')}
        numbers={quote.applications.map(({ number }) => number)}
        reference={reference}
        shown={quote.shown}
      >
        <Button look="danger">
          {isNothing ? t('quote.cancelOnly') : t('quote.cancel', { amount })}
        </Button>
      </ConfirmForm>
      {quote.canChoose ? (
        <p className="mt-4">
          <Link to={`/status/cancel?${again}`}>{t('quote.chooseOthers')}</Link>
        </p>
      ) : null}
    </>
  );
}

function QuoteTable({ application }: { application: Quote['applications'][number] }) {
  const { t } = useTranslation(['cancellation', 'application', 'receipt', 'refund']);
  const receipt = useTranslation('receipt').t;
  const language = useLanguage();
  const { kind, name, lines } = application;
  return (
    <table className="mt-6 w-full border-collapse wrap-anywhere">
      <caption className="pb-2 text-start font-semibold">
        {t('what', { what: t(`application:kind.${kind}`), name })}
      </caption>
      <thead>
        <tr className="border-b border-ink text-small text-ink-2">
          <th className="py-2 text-start font-semibold" scope="col">
            {t('quote.item')}
          </th>
          <th className="py-2 ps-3 text-end font-semibold" scope="col">
            {t('quote.paid')}
          </th>
          <th className="py-2 ps-3 text-end font-semibold" scope="col">
            {t('quote.refund')}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ id, code, detail, paid, refund, reason }) => (
          <tr className="border-b border-line align-top" key={id}>
            <th className="py-3 text-start font-normal" scope="row">
              {lineLabel(receipt, { code, detail })}
              <span className="block text-small text-ink-2">{t(`refund:reason.${reason}`)}</span>
            </th>
            <td className="py-3 ps-3 text-end whitespace-nowrap tabular-nums">
              <bdi>{formatMoney(paid, language)}</bdi>
            </td>
            <td className="py-3 ps-3 text-end whitespace-nowrap tabular-nums">
              <bdi>{formatMoney(refund, language)}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
