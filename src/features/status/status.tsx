import { readParts, toPlainDate, formatDate, UTC } from '~/base/dates/dates.ts';
import { boughtCovers } from '~/features/insurance/store/store.server.ts';
import { findLastEntryDay } from '~/features/visa/store/store.server.ts';
import { cancellationNow } from './cancel.server.ts';
import { useState } from 'react';
import { currentOperator } from '~/features/settings/operator.server.ts';
import { useTranslation, Trans } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { HELD_SECONDS, PayBox, SupportLine, StatusTags, RefreshEvery } from './status-parts.tsx';
import { openByBirthDate, sendAskedEmail } from './download.server.ts';
import { hasSeveralTravellers, byTraveller } from '~/features/application/travellers.ts';
import { lookUpApplication, type LookupError } from './lookup.server.ts';
import {
  isWithdrawn,
  visibleStatus,
  isAskedEmail,
  type RefusedDate,
  type StatusView,
  documentKind,
} from './status-view.ts';
import { useBirthDateError } from './birth-date-form.tsx';
import { StatusCard, CancelLink } from './status-card.tsx';
import { payerSessionHash } from '~/features/order/payer/session.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { alternativeProvider } from '~/features/order/fallback-provider.ts';
import { offeredProviders } from '~/features/payment/providers/outage.server.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import {
  answersHandle,
  isLanguageSwitch,
  type CarriedAnswers,
  ANSWERS_FORM,
} from '~/ui/answers-form.ts';
import { Page, PageHead } from '~/ui/layout.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import type { Route } from './+types/status.ts';
import { Form } from '~/ui/page/form.tsx';
import { Link } from '~/ui/page/link.tsx';
import { Lookup } from '~/ui/fields/lookup.tsx';
import { Segment } from '~/ui/fields/segment.tsx';
import { formatNumber } from '~/base/format-number.ts';
import {
  NUMBER_LENGTH,
  prefixes,
  readNumber,
  MIN_NUMBER_LENGTH,
} from '~/features/application/number.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import { formatMoney } from '~/base/money.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { Facts, Panel } from '~/ui/card.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { SkippedDays } from '~/features/application/closed-days.tsx';
import { skippedClosedDays } from '~/features/application/skipped-days.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import { changePath } from '~/features/order/payer/payer-links.ts';
import { fullName } from '~/features/application/full-name.ts';
import { Moment } from '~/ui/moment.tsx';
import { chooseReadyText } from '~/features/application/promised.ts';

const makeHeaders = (more: Record<string, string> = {}) => ({
  'Cache-Control': 'no-store',
  ...more,
});

export const handle = answersHandle;

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const typed = query.get('ref');
  const kind = query.get('kind') === 'insurance' ? ('insurance' as const) : ('visa' as const);
  const platform = context.get(platformContext);
  const { supportEmail } = await currentOperator(platform);
  const sent = query.get('sent');
  const asked = {
    typed: typed ?? '',
    kind,
    asksFor: query.get('download'),
    sent: isAskedEmail(sent) ? sent : null,
    supportEmail,
    otherProvider: alternativeProvider(
      await offeredProviders(platform, context.get(paymentsContext).providers),
    ),
  };
  const nothing = {
    view: null,
    everyone: null,
    covers: [],
    cancelNow: null,
    enterBy: null,
  };
  const isUnasked = typed === null || isLanguageSwitch(query);
  if (isUnasked) {
    if (typed === '' && kind === 'visa') return redirect('/status', { headers: makeHeaders() });
    const carriedAnswers: CarriedAnswers = 'kept';
    return data({ ...asked, ...nothing, error: null, carriedAnswers }, { headers: makeHeaders() });
  }
  const sessionHash = payerSessionHash(platform, request);
  const address = context.get(addressContext);
  const found = await lookUpApplication(platform, typed, { address, sessionHash });
  if (found.ok) {
    const { view } = found.value;
    // An order of one traveller is shown as its e-visa, which names the insurance.
    const everyone = hasSeveralTravellers(found.value.everyone ?? []) ? found.value.everyone : null;
    const covers = await boughtCovers(
      platform.db,
      // A visa has no terms of insurance.
      view.kind === 'insurance' ? [view.number] : [],
      context.get(languageContext),
    );
    // The address says what is shown, and which document is to be opened.
    const cancelNow =
      view.cancellable && everyone === null && sessionHash !== null
        ? await cancellationNow(platform, view.number, sessionHash)
        : null;
    const enterBy =
      view.kind === 'visa' && everyone === null && (view.promisedAt || view.status === 'approved')
        ? await findLastEntryDay(platform.db, view.number)
        : null;
    const shown = { view, everyone, covers, cancelNow, enterBy };
    const answer = { ...asked, ...shown, error: null, carriedAnswers: null };
    return data(answer, { headers: makeHeaders() });
  }
  const { error } = found;
  const carriedAnswers: CarriedAnswers = 'asked';
  const answer = { ...asked, ...nothing, error, carriedAnswers };
  if (error.code === 'too_many') {
    const headers = makeHeaders({ 'Retry-After': String(error.retryAfterSeconds) });
    return data(answer, { status: 429, headers });
  }
  return data(answer, { status: error.code === 'not_found' ? 404 : 200, headers: makeHeaders() });
}

/** Handles the date of birth for a download, and the buttons that have something sent by email. */
export async function action({ request, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  const field = (name: string) => formText(form, name).slice(0, 40);
  const sessionHash = payerSessionHash(platform, request);
  const address = context.get(addressContext);
  const ref = field('ref');
  const found = await lookUpApplication(platform, ref, { address, sessionHash });
  const send = field('send');
  if (isAskedEmail(send)) {
    if (found.ok) await sendAskedEmail(platform, found.value, send);
    const query = new URLSearchParams({ ref, sent: send });
    return redirect(`/status?${query}`, { status: 303, headers: makeHeaders() });
  }
  const dateOfBirth = readParts(field, 'dateOfBirth');
  const receiptId = field('receipt') || null;
  const opened = found.ok
    ? await openByBirthDate(platform, found.value, { ...dateOfBirth, receiptId }, sessionHash)
    : null;
  if (opened?.ok) return redirect(opened.value, { headers: makeHeaders() });
  const waitSeconds = opened?.error.code === 'locked' ? opened.error.retryAfterSeconds : 0;
  const refused: RefusedDate = {
    ...dateOfBirth,
    lockedUntil: waitSeconds > 0 ? platform.now().getTime() + waitSeconds * 1000 : null,
    isForDays: waitSeconds > 24 * 3600,
  };
  // The loader says why nothing is shown after too many look-ups.
  const status = !found.ok && found.error.code === 'too_many' ? 429 : 422;
  return data({ refused, receiptId }, { status, headers: makeHeaders() });
}

function StatusPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('application');
  const { view, everyone, covers, cancelNow, enterBy } = loaderData;
  const { typed, kind, error, asksFor, sent, supportEmail, otherProvider } = loaderData;
  const birthDateError = useBirthDateError();
  const message = useLookupMessage(error);
  // A right date of birth is answered with the file while the page stays: hide the error of an earlier one.
  const [answered, setAnswered] = useState<typeof actionData>();
  const refused = (answered === actionData ? null : actionData?.refused) ?? null;
  const problems = message
    ? [{ name: 'ref', message: message.text }]
    : refused
      ? [{ name: 'dateOfBirth', message: birthDateError(refused) }]
      : [];
  const status = view && !everyone ? (isWithdrawn(view) ? 'cancelled' : view.status) : null;
  const state = status && t(`status.${status}`, { defaultValue: t('status.updating') });
  const shown = everyone ?? (view ? [view] : []);
  return (
    <Page>
      {typed ? <meta content="noindex" name="robots" /> : null}
      <FormHead
        problems={problems}
        title={[state, t('search.pageTitle'), 'Lale'].filter(Boolean).join(' · ')}
      />
      <PageHead lead={view ? undefined : t('search.lead')} title={t('search.title')} />
      <StatusSearch
        isFound={view !== null}
        kind={view?.kind ?? kind}
        message={message}
        typed={(everyone ? view?.orderNumber : view?.number) ?? typed}
      />
      {everyone && !actionData ? (
        <OrderCard
          everyone={everyone}
          otherWay={otherProvider}
          picksDownload={asksFor !== null}
          supportEmail={supportEmail}
        />
      ) : view ? (
        <div onSubmit={() => setAnswered(actionData)}>
          <StatusCard
            cancelNow={cancelNow}
            covers={covers}
            otherWay={otherProvider}
            enterBy={enterBy}
            refused={refused}
            sent={actionData ? null : sent}
            supportEmail={supportEmail}
            view={view}
            asksFor={actionData ? (actionData.receiptId ?? 'document') : asksFor}
          />
        </div>
      ) : null}
      {shown.some(isMoving) ? (
        <RefreshEvery
          seconds={shown.some(({ awaited }) => awaited === 'held') ? HELD_SECONDS : 4}
        />
      ) : null}
    </Page>
  );
}

/** Decided without staff, so the page reloads by itself. */
const isMoving = (view: StatusView): boolean =>
  view.awaited !== null || visibleStatus(view) === 'issuing';

export { StatusPage as default };

type LookupMessage = { text: string; hint?: string };

/** The specification's message, with a second line that tells a mistyped number from an unknown one. */
function useLookupMessage(error: LookupError | null): LookupMessage | null {
  const { t } = useTranslation('application');
  if (!error) return null;
  switch (error.code) {
    case 'too_many':
      return { text: t('error.too_many', { count: error.retryAfterSeconds }) };
    case 'empty':
      return { text: t('error.empty') };
    case 'too_short':
      return { text: t('error.too_short', { minimum: MIN_NUMBER_LENGTH }) };
    case 'not_found':
      return { text: t('error.not_found'), hint: t('error.unknownHint') };
    case 'mistyped':
    case 'not_a_number':
      return {
        text: t('error.not_found'),
        hint: t('error.mistypedHint', { ...prefixes, length: NUMBER_LENGTH }),
      };
  }
}

/** A plain GET form, so that the address of the result can be bookmarked and shared. */
function StatusSearch({
  isFound,
  kind,
  typed,
  message,
}: {
  isFound: boolean;
  kind: 'visa' | 'insurance';
  typed: string;
  message: LookupMessage | null;
}) {
  const { t } = useTranslation('application');
  const read = readNumber(typed);
  return (
    // A new result remounts the form, so that it shows the number as it was read.
    <Form
      className="grid justify-items-start gap-7"
      id={ANSWERS_FORM}
      key={`${kind} ${typed}`}
      method="get"
    >
      <Segment
        defaultValue={kind}
        legend={t('search.kind')}
        name="kind"
        options={[
          { value: 'visa', label: t('search.visa') },
          { value: 'insurance', label: t('search.insurance') },
        ]}
      />
      <Lookup
        button={t('search.find')}
        defaultValue={read.ok ? formatNumber(read.number) : typed}
        error={
          message ? (
            <>
              {message.text}
              {message.hint ? <span className="block font-normal">{message.hint}</span> : null}
            </>
          ) : undefined
        }
        label={t('search.number')}
        maxLength={60}
        name="ref"
      />
      {isFound ? null : (
        <Link className="min-h-11 py-2.5" to="/status/lost-number">
          {t('lost.link')}
        </Link>
      )}
    </Form>
  );
}

/** An order of several travellers: what it costs, then each traveller with what was applied for. */
function OrderCard({
  everyone,
  picksDownload,
  supportEmail,
  otherWay,
}: {
  everyone: readonly StatusView[];
  /** Somebody came to download a document and has not chosen whose. */
  picksDownload: boolean;
  supportEmail: string;
  /** The other way to pay. */
  otherWay: ProviderName | null;
}) {
  const { t, language } = useTranslation('application');
  const travellers = byTraveller(everyone);
  const unpaid = everyone.find((view) => visibleStatus(view) === 'unpaid');
  const [first] = everyone;
  if (!first?.due) return null;
  return (
    <div className="mt-10 grid grid-cols-1 gap-7 print:mt-4">
      <Panel>
        <h2>{t('group.title', { count: travellers.length })}</h2>
        <Facts
          facts={[
            {
              term: t('group.order'),
              value: <NumberCode value={first.orderNumber} />,
              testId: 'application-number',
            },
            {
              term: t('fact.appliedOn'),
              value: formatDate(toPlainDate(first.createdAt, UTC), language),
            },
            {
              term: t('fact.payment'),
              value: (
                <Trans
                  components={{ total: <bdi data-testid="total" /> }}
                  i18nKey={`payment.${first.paymentStatus}`}
                  t={t}
                  values={{ amount: formatMoney(first.due, language) }}
                />
              ),
            },
          ]}
        />
        {unpaid?.due ? <PayBox due={unpaid.due} isOfAll other={otherWay} view={unpaid} /> : null}
        {everyone.some(({ cancellable }) => cancellable) ? (
          <div className="mt-4">
            <CancelLink number={first.orderNumber} />
          </div>
        ) : null}
        <OrderReceipts everyone={everyone} />
        <SupportLine className="text-small mt-6" email={supportEmail} />
      </Panel>
      <section>
        <h2 className="text-h2-card">{t('group.travellers')}</h2>
        <p className="mt-2 text-ink-2">{t(picksDownload ? 'group.pick' : 'group.share')}</p>
        <SkippedDays className="mt-5" days={skippedClosedDays(everyone)} />
        <ul className="mt-5 grid grid-cols-1 gap-5">
          {travellers.map(({ position, applications }) => (
            <TravellerCard applications={applications} key={position} position={position} />
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Receipts name the payer, so the payer's own page opens them, by the date of birth. */
function OrderReceipts({ everyone }: { everyone: readonly StatusView[] }) {
  const { t } = useTranslation('application');
  const payer = everyone.find(({ receipts }) => receipts.length > 0);
  if (!payer) return null;
  return (
    <section className="mt-6 border-t border-line pt-6 print:hidden">
      <h3 className="text-h3">{t('receipt.title')}</h3>
      <ul className="mt-2 grid justify-items-start gap-x-7 gap-y-2">
        {payer.receipts.map(({ id, kind, number }) => (
          <li key={id}>
            <ButtonLink
              icon="download"
              look="plain"
              to={`/status?ref=${payer.number}&download=${id}#dateOfBirth`}
            >
              {t(`receipt.${kind}`, { number })}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One traveller of an order: e-visa and insurance, each with its number, status and next step. */
function TravellerCard({
  position,
  applications,
}: {
  position: number;
  applications: readonly StatusView[];
}) {
  const { t } = useTranslation('application');
  const [first] = applications;
  if (!first) return null;
  const name = fullName(first);
  const headingId = `traveller-${position}`;
  return (
    <li
      className="rounded-card border border-line-2 bg-paper p-5 wide:p-8"
      data-testid={`traveller-${position}`}
    >
      <p className="text-small text-ink-2">{t('group.traveller', { position })}</p>
      <h3 className="text-h3 wrap-anywhere" id={headingId}>
        <bdi>{name}</bdi>
      </h3>
      <ul className="mt-4 grid grid-cols-1 gap-5">
        {applications.map((view) => (
          <li className="border-t border-line pt-4" key={view.number}>
            <TravellerApplication headingId={headingId} view={view} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function TravellerApplication({ view, headingId }: { view: StatusView; headingId: string }) {
  const { t } = useTranslation('application');
  const shownStatus = visibleStatus(view);
  const isWaiting = shownStatus === 'pending' || shownStatus === 'processing';
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <span className="font-semibold">{t(`kind.${view.kind}`)}</span>
        <Link className="inline-flex min-h-11 items-center" to={`/status?ref=${view.number}`}>
          <NumberCode value={view.number} />
        </Link>
        <span className="flex flex-wrap gap-2">
          <StatusTags view={view} />
        </span>
      </div>
      <p className="mt-2 text-ink-2 [&_strong]:text-ink">
        <StateSentence view={view} />{' '}
        {isWaiting && view.promisedAt ? (
          <Trans
            components={{
              promise: <Moment at={view.promisedAt} />,
              moment: <Moment at={view.promisedAt} />,
            }}
            i18nKey={view.isMissed ? 'late.waiting' : chooseReadyText(view)}
            t={t}
          />
        ) : null}{' '}
        {view.isMissed && view.kind === 'visa' ? t('late.refund') : null}
      </p>
      {view.document ? (
        <div className="mt-3">
          <ButtonLink
            aria-describedby={headingId}
            className="max-wide:w-full"
            icon="download"
            look="secondary"
            small
            to={`/status?ref=${view.number}&download=yes#dateOfBirth`}
          >
            {t(`download.${documentKind(view)}`)}
          </ButtonLink>
        </div>
      ) : null}
      {/* An insurance beside an e-visa is changed together with the e-visa. */}
      {shownStatus === 'unpaid' && (view.kind === 'visa' || view.beside.length === 0) ? (
        <ButtonLink
          aria-describedby={headingId}
          look="plain"
          to={changePath(view.number, view.number)}
        >
          {t('group.change')}
        </ButtonLink>
      ) : null}
    </>
  );
}

function StateSentence({ view }: { view: StatusView }) {
  const { t, language } = useTranslation('application');
  const day = view.cancelledAt ?? view.correction?.until ?? view.decidedAt;
  const date = day ? formatDate(toPlainDate(day, UTC), language) : '';
  return t(`group.state.${stateOf(view)}`, { date });
}

function stateOf(view: StatusView): CodeIn<'application', 'group.state'> {
  if (isWithdrawn(view)) return 'withdrawn';
  const shownStatus = visibleStatus(view);
  const isInsurance = view.kind === 'insurance';
  if (shownStatus === 'approved') {
    if (!view.document) return 'approvedWithoutFile';
    return isInsurance ? 'approvedInsurance' : 'approved';
  }
  if (isInsurance && (shownStatus === 'pending' || shownStatus === 'processing')) {
    return 'pendingInsurance';
  }
  return shownStatus;
}
