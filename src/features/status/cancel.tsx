import { data, redirect } from 'react-router';
import { formatMoney } from '~/base/money.ts';
import { isUuid } from '~/base/uuid.ts';
import { payerSessionHash } from '~/features/order/payer/session.server.ts';
import { lineLabel } from '~/features/order/receipt/receipt-facts.ts';
import { BANK_DAYS, TRANSFER_DAYS } from '~/features/order/refund-policy.ts';
import { currentOperator } from '~/features/settings/operator.server.ts';
import { addressContext, platformContext, PRIVATE_PAGE } from '~/platform/http/request.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { FieldSet } from '~/ui/fields/field-set.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { useDeadlines } from '~/ui/moment.tsx';
import { Notice } from '~/ui/notice.tsx';
import { FiguresTable } from '~/ui/figures-table.tsx';
import { Form } from '~/ui/page/form.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { lookupLimits } from './lookup.server.ts';
import {
  orderToCancel,
  cancellationView,
  cancelApplications,
  type CancellationView,
} from './cancel.server.ts';
import { LINK_PLACE } from './lost-number.tsx';
import type { Route } from './+types/cancel.ts';

export const handle = { scriptFree: true };
export const headers = () => PRIVATE_PAGE;

/** Longest number of a form, and most applications in one. */
const MAX_NUMBER_LENGTH = 40;
const MAX_APPLICATIONS = 40;

const PAGE = '/status/cancel';

const statusPath = (reference: string): string =>
  `/status?${new URLSearchParams({ ref: reference })}`;

const toStatus = (ref: string) => redirect(statusPath(ref), { headers: PRIVATE_PAGE });

/** What is refunded; a look-up like any other, limited like any other. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const { searchParams: query } = new URL(request.url);
  const asked = {
    ref: (query.get('ref') ?? '').slice(0, MAX_NUMBER_LENGTH),
    applications: query.getAll('app').slice(0, MAX_APPLICATIONS),
    isChosen: query.has('chosen'),
    done: query.get('done'),
  };
  const { allowed } = await lookupLimits(platform).lookup.consume(context.get(addressContext));
  if (!allowed) return toStatus(asked.ref);
  const view = await cancellationView(platform, asked, payerSessionHash(platform, request));
  if (!view) return toStatus(asked.ref);
  const { supportEmail } = await currentOperator(platform);
  return data({ view, ref: asked.ref, supportEmail }, { headers: PRIVATE_PAGE });
}

/** Does what the page showed, and shows the amounts anew where they are no longer right. */
export async function action({ request, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  const ref = formText(form, 'ref').slice(0, MAX_NUMBER_LENGTH);
  // Its answer tells whether there is such an order.
  const { allowed } = await lookupLimits(platform).lookup.consume(context.get(addressContext));
  const found = allowed ? await orderToCancel(platform.db, ref) : null;
  const id = formText(form, 'id');
  if (!found || !isUuid(id)) return toStatus(ref);
  const numbers = form.getAll('app').filter((value) => typeof value === 'string');
  const taken = await cancelApplications(platform, {
    id,
    orderNumber: found.order.number,
    numbers: [...new Set(numbers)].slice(0, MAX_APPLICATIONS),
    shown: formText(form, 'shown'),
    sessionHash: payerSessionHash(platform, request),
  });
  if (taken.ok) {
    const done = new URLSearchParams({ ref, done: taken.value.id });
    return redirect(`${PAGE}?${done}`, { status: 303, headers: PRIVATE_PAGE });
  }
  const { code } = taken.error;
  const status = code === 'not_payer' ? 403 : 409;
  return data({ code }, { status, headers: PRIVATE_PAGE });
}

type Part<Kind extends CancellationView['kind']> = {
  view: Extract<CancellationView, { kind: Kind }>;
  reference: string;
};

/** A page on which nothing is refunded does not promise a refund. */
function titleOf(view: CancellationView) {
  if (view.kind === 'done') return 'done.title';
  return view.kind === 'quote' && view.total.minor === 0 ? 'quote.cancelOnly' : 'title';
}

function CancelPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('cancellation');
  const { view, ref: reference, supportEmail } = loaderData;
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
      {actionData ? <Problem code={actionData.code} email={supportEmail} kind={view.kind} /> : null}
      {view.kind === 'link' ? <LinkPart reference={reference} /> : null}
      {view.kind === 'nothing' ? <NothingPart reference={reference} view={view} /> : null}
      {view.kind === 'choose' ? <ChooseForm reference={reference} view={view} /> : null}
      {view.kind === 'quote' ? <QuoteForm reference={reference} view={view} /> : null}
      {view.kind === 'done' ? <DonePart reference={reference} view={view} /> : null}
    </NarrowPage>
  );
}

export { CancelPage as default };

/** Why it was not done. */
function Problem({
  code,
  kind,
  email,
}: {
  code: string;
  kind: CancellationView['kind'];
  email: string;
}) {
  const { t } = useTranslation('cancellation');
  if (code === 'not_refundable') {
    return (
      <Notice className="mb-7" role="alert" title={t('problem.notRefundable')} tone="red">
        {t('problem.contact', { email })}
      </Notice>
    );
  }
  if (code === 'changed' && kind === 'quote') {
    return (
      <Notice className="mb-7" role="alert" title={t('problem.changed')} tone="amber">
        {t('problem.changedText')}
      </Notice>
    );
  }
  return code === 'not_open' || code === 'other_order' ? (
    <Notice className="mb-7" role="alert" title={t('problem.notOpen')} tone="amber" />
  ) : null;
}

function BackToStatus({ reference }: { reference: string }) {
  const { t } = useTranslation('cancellation');
  return (
    <FormActions>
      <ButtonLink to={statusPath(reference)}>{t('back')}</ButtonLink>
    </FormActions>
  );
}

/** For a browser that is not the payer's: how to make it one. */
function LinkPart({ reference }: { reference: string }) {
  const { t } = useTranslation('cancellation');
  return (
    <>
      <p>{t('link.text')}</p>
      <FormActions>
        <ButtonLink to={LINK_PLACE}>{t('link.button')}</ButtonLink>
        <ButtonLink look="plain" to={statusPath(reference)}>
          {t('back')}
        </ButtonLink>
      </FormActions>
    </>
  );
}

/** Nothing can be cancelled any more, with the reason for each application. */
function NothingPart({ view, reference }: Part<'nothing'>) {
  const { t } = useTranslation(['cancellation', 'application']);
  return (
    <>
      <p>{t('nothing.text')}</p>
      {view.why.length > 0 ? (
        <ul className="mt-4 grid list-disc grid-cols-1 gap-2 ps-6">
          {view.why.map(({ number, kind, name, why }) => (
            <li key={number}>
              {t('what', { what: t(`application:kind.${kind}`), name })}: {t(`nothing.${why}`)}
            </li>
          ))}
        </ul>
      ) : null}
      <BackToStatus reference={reference} />
    </>
  );
}

/** Which applications of the order are to be cancelled; none is ticked beforehand. */
function ChooseForm({ view: { choices, isMissing }, reference }: Part<'choose'>) {
  const { t } = useTranslation(['cancellation', 'application']);
  const error = isMissing ? t('choose.none') : undefined;
  return (
    <Form action={PAGE} className="grid gap-6" method="get">
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

/** When refunded money arrives. */
function useArrival(): string {
  const { t } = useTranslation('cancellation');
  return t('arrival', {
    min: TRANSFER_DAYS.min,
    max: TRANSFER_DAYS.max,
    bankMin: BANK_DAYS.min,
    bankMax: BANK_DAYS.max,
  });
}

/**
 * What is refunded and until when, with the button that does it. The form sends an id, so that pressing twice does it
 * once, and the amounts, so that no others are booked.
 */
function QuoteForm({ view: quote, reference }: Part<'quote'>) {
  const { t, language } = useTranslation(['cancellation', 'application']);
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
      <Form className="mt-6" method="post">
        <input name="ref" type="hidden" value={reference} />
        <input name="id" type="hidden" value={quote.id} />
        <input name="shown" type="hidden" value={quote.shown} />
        {quote.applications.map(({ number }) => (
          <input key={number} name="app" type="hidden" value={number} />
        ))}
        <FormActions>
          <Button look="danger">
            {isNothing ? t('quote.cancelOnly') : t('quote.cancel', { amount })}
          </Button>
          <ButtonLink look="plain" to={statusPath(reference)}>
            {t('keep')}
          </ButtonLink>
        </FormActions>
      </Form>
      {quote.canChoose ? (
        <p className="mt-4">
          <Link to={`${PAGE}?${again}`}>{t('quote.chooseOthers')}</Link>
        </p>
      ) : null}
    </>
  );
}

type Quoted = Part<'quote'>['view']['applications'][number];

function QuoteTable({ application }: { application: Quoted }) {
  const { t, language } = useTranslation(['cancellation', 'application', 'receipt', 'refund']);
  const receipt = useTranslation('receipt').t;
  const { kind, name, lines } = application;
  return (
    <FiguresTable
      caption={t('what', { what: t(`application:kind.${kind}`), name })}
      className="mt-6"
      columns={[
        {
          head: t('quote.item'),
          render: ({ code, detail, reason }) => (
            <>
              {lineLabel(receipt, { code, detail })}
              <span className="block text-small text-ink-2">{t(`refund:reason.${reason}`)}</span>
            </>
          ),
        },
        {
          head: t('quote.paid'),
          render: ({ paid }) => (
            <bdi className="whitespace-nowrap">{formatMoney(paid, language)}</bdi>
          ),
          isFigure: true,
        },
        {
          head: t('quote.refund'),
          render: ({ refund }) => (
            <bdi className="whitespace-nowrap">{formatMoney(refund, language)}</bdi>
          ),
          isFigure: true,
        },
      ]}
      isCaptionShown
      keyOf={({ id }) => id}
      rows={lines}
    />
  );
}

/** After it was done: what is refunded, and when it arrives. */
function DonePart({ view: { refund }, reference }: Part<'done'>) {
  const { t, language } = useTranslation('cancellation');
  const arrival = useArrival();
  return (
    <>
      <p role="status">
        {refund ? t('done.refund', { amount: formatMoney(refund, language) }) : t('done.noRefund')}
      </p>
      {refund ? <p className="mt-3">{arrival}</p> : null}
      <p className="mt-3">{t('done.email')}</p>
      <BackToStatus reference={reference} />
    </>
  );
}
