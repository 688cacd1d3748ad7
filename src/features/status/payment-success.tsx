import { boughtCovers } from '~/features/insurance/store/store.server.ts';
import { useTranslation, Trans } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { openOwnReceipt, successView, type SuccessView } from './success-view.server.ts';
import { ConfirmingPayment, CalendarLink, Stages, SupportLine } from './status-parts.tsx';
import {
  paymentResult,
  resultQuery,
  redirectToOrderLanguage,
  readReferences,
} from '~/features/order/result/payment-result.server.ts';
import { orderTotal } from '~/features/order/store.server.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/payment-success.ts';
import { type Money, formatMoney } from '~/base/money.ts';
import { ButtonLink, Button } from '~/ui/button.tsx';
import { Card, Facts } from '~/ui/card.tsx';
import { NarrowPage, PageHead, Page } from '~/ui/layout.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useHasScripts } from '~/ui/scripts-input.tsx';
import { Form } from '~/ui/page/form.tsx';
import { Link } from '~/ui/page/link.tsx';
import { BandArt } from '~/ui/art.tsx';
import { Notice } from '~/ui/notice.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Pass } from '~/ui/pass.tsx';
import { BoughtCovers } from '~/features/application/cover-table.tsx';
import { SkippedDays } from '~/features/application/closed-days.tsx';
import { skippedClosedDays } from '~/features/application/skipped-days.ts';
import { sharedPromise } from '~/features/application/travellers.ts';
import { fullName } from '~/features/application/full-name.ts';
import { Moment } from '~/ui/moment.tsx';
import { chooseReadyText } from '~/features/application/promised.ts';
import type { TextKey } from '~/base/text-keys.ts';
import type { StatusView } from './status-view.ts';

const noStore = { 'Cache-Control': 'no-store' };

/**
 * The query is not trusted: it names an attempt or an order, and what became of it is read from the database. Only in
 * test mode `test` shows the result that a test page claims, marked as a test.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const query = new URL(request.url).searchParams;
  const result = await paymentResult(platform, context.get(paymentsContext), request);
  if (!result && platform.config.mode === 'test' && query.has('test')) {
    const view = { ...readReferences(query), total: null };
    return data({ kind: 'test' as const, view }, { headers: noStore });
  }
  if (!result) return redirect('/payment-cancel', { headers: noStore });
  const { order, attempt, number } = result;
  if (result.kind === 'stopped') {
    return redirect(`/payment-cancel?${resultQuery(result)}`, { headers: noStore });
  }
  const elsewhere = redirectToOrderLanguage(request, context.get(languageContext), order);
  if (elsewhere) return elsewhere;
  if (result.awaited) {
    const { awaited } = result;
    return data({ kind: 'open' as const, number, awaited }, { headers: noStore });
  }
  if (order.lab) {
    const transactionId = attempt?.providerReference ?? attempt?.captureId ?? null;
    const view = { orderNumber: number, transactionId, total: orderTotal(order) };
    return data({ kind: 'test' as const, view }, { headers: noStore });
  }
  const view = await successView(platform, result, (numbers) =>
    boughtCovers(platform.db, numbers, context.get(languageContext)),
  );
  return data({ kind: 'paid' as const, view }, { headers: noStore });
}

/** Opens the receipt for its payer's browser; others are asked for the date of birth. */
export async function action({ request, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const result = await paymentResult(platform, context.get(paymentsContext), request);
  if (!result) return redirect('/status', { headers: noStore });
  const path = await openOwnReceipt(platform, result);
  return redirect(path ?? `/status?ref=${result.number}`, { headers: noStore });
}

function PaymentSuccess({ loaderData: shown }: Route.ComponentProps) {
  const { t } = useTranslation(['application', 'payment']);
  const titles = {
    paid:
      shown.kind === 'paid' && isCertified(shown.view)
        ? t('success.pageTitleReady')
        : t('success.pageTitle'),
    open: t('confirming.pageTitle'),
    test: t('payment:test.title'),
  };
  return (
    <>
      <title>{`${titles[shown.kind]} · Lale`}</title>
      {shown.kind === 'paid' ? <Confirmation view={shown.view} /> : null}
      {shown.kind === 'open' ? (
        <ConfirmingPayment awaited={shown.awaited} orderNumber={shown.number} />
      ) : null}
      {shown.kind === 'test' ? <TestSuccess view={shown.view} /> : null}
    </>
  );
}

export { PaymentSuccess as default };

type TestPaymentView = {
  orderNumber: string | null;
  transactionId: string | null;
  total: Money | null;
};

/** A payment made on the test pages, which belongs to no application. */
function TestSuccess({ view }: { view: TestPaymentView }) {
  const { t, language } = useTranslation('payment');
  const { orderNumber, transactionId, total } = view;
  return (
    <NarrowPage>
      <PageHead lead={t('test.text')} title={t('test.title')}>
        <StatusTag icon="check" tone="green">
          {t('test.tag')}
        </StatusTag>
      </PageHead>
      {(orderNumber ?? transactionId ?? total) ? (
        <Card>
          <Facts
            facts={[
              ...(orderNumber
                ? [
                    {
                      term: t('fact.order'),
                      value: orderNumber,
                      mono: true,
                      testId: 'application-number',
                    },
                  ]
                : []),
              ...(transactionId
                ? [{ term: t('fact.transaction'), value: transactionId, mono: true }]
                : []),
              ...(total
                ? [{ term: t('fact.amount'), value: <bdi>{formatMoney(total, language)}</bdi> }]
                : []),
            ]}
            layout="rows"
          />
        </Card>
      ) : null}
      <div className="form-actions">
        <ButtonLink to={orderNumber ? `/status?ref=${orderNumber}` : '/status'}>
          {t('stopped.status')}
        </ButtonLink>
        <ButtonLink look="plain" to="/">
          {t('stopped.home')}
        </ButtonLink>
      </div>
    </NarrowPage>
  );
}

/** Whether what was paid is an insurance whose certificate is there. */
function isCertified({ applications: [first, ...others] }: SuccessView): boolean {
  return first?.kind === 'insurance' && others.length === 0 && first.document !== null;
}

/** The confirmation of a paid order: the number, what was paid, what happens next and by when. */
function Confirmation({ view }: { view: SuccessView }) {
  const { t } = useTranslation('application');
  const [first] = view.applications;
  const isGroup = view.applications.length > 1;
  const isInsurance = first?.kind === 'insurance' && !isGroup;
  // Staff decide only on a minor's insurance, so a parent reads this.
  const isChild = isInsurance && first.decidedBy === 'reviewer';
  const hasInsurance = view.applications.some(({ kind }) => kind === 'insurance');
  const visa = view.applications.find(({ kind }) => kind === 'visa');
  return (
    <>
      <BandArt />
      <Page>
        <PageHead
          lead={<ConfirmationLead view={view} />}
          title={
            isCertified(view)
              ? t('success.titleReady')
              : first?.firstName && !isGroup && !isChild
                ? t('success.title', { name: first.firstName })
                : t('success.titleGroup')
          }
        >
          <StatusTag icon="check" tone="green">
            {t('success.paid')}
          </StatusTag>
        </PageHead>
        {view.overtaken ? <Overtaken {...view.overtaken} /> : null}
        {view.isTest ? (
          <Notice className="mb-6" title={t('success.test.title')} tone="blue">
            <p>{t('success.test.text')}</p>
          </Notice>
        ) : null}
        <SkippedDays className="mb-6" days={skippedClosedDays(view.applications)} />
        <Receipt isGroup={isGroup} view={view} />
        {isGroup ? <Numbers view={view} /> : null}
        <div className="mt-14 grid gap-12 wide:grid-cols-2 wide:gap-16 print:mt-6 print:grid-cols-2">
          <section>
            <h2 className="text-h2-card mb-5">{t('success.next')}</h2>
            {first ? <Stages kind={first.kind} stages={first.timeline} /> : null}
            {/* Of several travellers each has a moment of their own, on their status page. */}
            {first && !view.isOfSeveral ? <CalendarLink view={first} /> : null}
          </section>
          <section>
            <h2 className="text-h2-card mb-5">{t('success.travel')}</h2>
            {visa ? (
              <>
                <p>{t('success.travelPassport')}</p>
                {hasInsurance || view.isOfSeveral ? null : (
                  <p className="mt-5">
                    <Link to={`/insurance?visa=${visa.number}`}>{t('success.insurance')}</Link>
                  </p>
                )}
              </>
            ) : null}
            {hasInsurance ? (
              <p className={visa ? 'mt-3' : undefined}>{t('success.travelCertificate')}</p>
            ) : null}
            <SupportLine email={view.supportEmail} />
            <p className="mt-2">
              <Link to="/">{t('success.home')}</Link>
            </p>
          </section>
        </div>
        {view.covers.length > 0 ? (
          <div className="mt-14 print:mt-6">
            <BoughtCovers covers={view.covers} />
          </div>
        ) : null}
      </Page>
    </>
  );
}

function Receipt({ view, isGroup }: { view: SuccessView; isGroup: boolean }) {
  const { t, language } = useTranslation('application');
  const { number } = view;
  return (
    <Pass
      actions={
        <>
          <ButtonLink to={`/status?ref=${number}`}>
            {t(view.isOfSeveral ? 'success.trackOrder' : 'success.track')}
          </ButtonLink>
          <ReceiptButton view={view} />
          <PrintButton />
        </>
      }
      facts={
        view.transactionId
          ? [{ term: t('success.transaction'), value: view.transactionId, mono: true }]
          : []
      }
      lines={view.lines.map((line) => ({
        label: <LineLabel line={line} />,
        amount: formatMoney(line.amount, language),
      }))}
      number={number}
      numberLabel={t(isGroup ? 'success.orderNumber' : 'success.number')}
      paid={{ label: t('success.total'), amount: formatMoney(view.total, language) }}
    />
  );
}

function LineLabel({ line }: { line: SuccessView['lines'][number] }) {
  const { t } = useTranslation('application');
  if ('name' in line) return <bdi className="wrap-anywhere">{line.name}</bdi>;
  if ('position' in line) return t('group.traveller', { position: line.position });
  const { code, detail } = line;
  return t(`line.${code}`, {
    service: detail && t(`service.${detail}.name`),
    defaultValue: t('line.other'),
  });
}

/** The receipt as a PDF: at once for the browser that placed the order, else by the date of birth. */
function ReceiptButton({ view: { receipt, number } }: { view: SuccessView }) {
  const { t } = useTranslation('application');
  if (!receipt) return null;
  if (!receipt.isOpen) {
    return (
      <ButtonLink
        icon="download"
        look="secondary"
        to={`/status?ref=${number}&download=${receipt.id}#dateOfBirth`}
      >
        {t('receipt.download')}
      </ButtonLink>
    );
  }
  return (
    // Submitted as a document request: the response is the file, and the page stays open.
    <Form method="post" reloadDocument>
      <Button icon="download" look="secondary">
        {t('receipt.download')}
      </Button>
    </Form>
  );
}

/** Another attempt paid the order, not this browser's: explained before the traveller sees two amounts on the card. */
function Overtaken({ kind, amount, isOfOldAmount }: NonNullable<SuccessView['overtaken']>) {
  const { t } = useTranslation('application');
  if (kind === 'elsewhere') {
    return (
      <Notice className="mb-6" title={t('success.elsewhere.title')} tone="blue">
        <p>{t('success.elsewhere.text')}</p>
      </Notice>
    );
  }
  return (
    <RefundedBeside
      amount={amount}
      isReturned={kind === 'returned'}
      words={isOfOldAmount ? 'success.otherAmount' : 'success.twice'}
    />
  );
}

/** A payment beside the one that paid: the second, or one of an amount that was no longer due. */
function RefundedBeside({
  amount,
  isReturned,
  words,
}: {
  amount: Money;
  isReturned: boolean;
  words: 'success.twice' | 'success.otherAmount';
}) {
  const { t, language } = useTranslation('application');
  const sum = formatMoney(amount, language);
  return (
    <Notice className="mb-6" title={t(`${words}.title`)} tone="amber">
      <p>{t(isReturned ? `${words}.returned` : `${words}.text`, { amount: sum })}</p>
    </Notice>
  );
}

/** Each application's own number; of several travellers under their names, with the time where they differ. */
function Numbers({ view: { applications, isOfSeveral } }: { view: SuccessView }) {
  const { t } = useTranslation('application');
  const isShared = !isOfSeveral || sharedPromise(applications) !== null;
  return (
    <ul className="mt-8 grid grid-cols-1 gap-3">
      {applications.map(({ kind, number, firstName, lastName, travellerPosition, promisedAt }) => {
        const name = fullName({ firstName, lastName });
        return (
          <li data-testid={`number-${kind}`} key={number}>
            <span className="block text-small wrap-anywhere text-ink-2">
              {t(`kind.${kind}`)} ·{' '}
              <bdi>{name || t('group.traveller', { position: travellerPosition })}</bdi>
            </span>
            <Link className="inline-flex min-h-11 items-center" to={`/status?ref=${number}`}>
              <NumberCode value={number} />
            </Link>
            {isShared || !promisedAt ? null : (
              <span className="block text-small text-ink-2">
                <Trans
                  components={{
                    promise: <Moment at={promisedAt} />,
                    moment: <Moment at={promisedAt} />,
                  }}
                  i18nKey={chooseReadyText({ kind })}
                  t={t}
                />
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Only scripts can print: without them there is no button. */
function PrintButton() {
  const { t } = useTranslation('application');
  const hasScripts = useHasScripts();
  return hasScripts ? (
    <Button icon="print" look="secondary" onClick={() => window.print()} type="button">
      {t('success.print')}
    </Button>
  ) : null;
}

/** The promised moment, and the address we write to. */
function ConfirmationLead({ view }: { view: SuccessView }) {
  const { t } = useTranslation('application');
  const [first] = view.applications;
  const email = view.email;
  const hasInsurance = view.applications.some(({ kind }) => kind === 'insurance');
  if (view.isOfSeveral) return <OrderLead view={view} />;
  if (first?.kind === 'insurance') return <InsuranceLead email={email} view={first} />;
  if (first?.decidedAt) return t('success.decided');
  return (
    <>
      {first?.promisedAt ? (
        <Trans
          components={{ promise: <Moment at={first.promisedAt} /> }}
          i18nKey="text.ready"
          t={t}
        />
      ) : null}{' '}
      {email ? <Written email={email} sentence="success.write" /> : t('success.writeShort')}{' '}
      {hasInsurance ? t('success.insuredToo') : null}
    </>
  );
}

/**
 * For several travellers: the moment shared by all visas. Where they differ, each stands with the traveller's numbers.
 */
function OrderLead({ view: { applications } }: { view: SuccessView }) {
  const { t } = useTranslation('application');
  const shared = sharedPromise(applications);
  return (
    <>
      {shared ? (
        <Trans components={{ promise: <Moment at={shared} /> }} i18nKey="success.readyAll" t={t} />
      ) : (
        t('success.readyEach')
      )}{' '}
      {t('success.writeEach')}{' '}
      {applications.some(({ kind }) => kind === 'insurance') ? t('success.insuredEach') : null}
    </>
  );
}

/** When the certificate comes: at once, or once staff have checked a minor's application. */
function InsuranceLead({ view, email }: { view: StatusView; email: string | null }) {
  const { t } = useTranslation('application');
  if (view.status === 'rejected') return t('success.decided');
  if (view.document) return t('success.insuredReady');
  const sentence = view.decidedBy === 'reviewer' ? 'success.insuredReviewed' : 'success.insured';
  return (
    <>
      {email ? <Written email={email} sentence={sentence} /> : t(`${sentence}Short`)}{' '}
      {view.promisedAt ? (
        <Trans
          components={{ moment: <Moment at={view.promisedAt} /> }}
          i18nKey="text.readyInsurance"
          t={t}
        />
      ) : null}
    </>
  );
}

function Written({ sentence, email }: { sentence: TextKey<'application'>; email: string }) {
  const { t } = useTranslation('application');
  return (
    <Trans components={{ email: <bdi dir="ltr" /> }} i18nKey={sentence} t={t} values={{ email }} />
  );
}
