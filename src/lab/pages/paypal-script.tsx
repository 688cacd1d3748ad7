import { Component, lazy, type ReactNode, Suspense, useState } from 'react';
import { Button, ButtonAnchor } from '~/ui/button.tsx';
import { FormActions } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useHref, usePage } from '~/ui/page/page-context.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { HomeLink, LabFacts, Raw } from '../paypal-page/lab-frame.tsx';
import { turkish } from '../paypal-page/specification.ts';
import {
  type PaymentCalls,
  PaymentTag,
  SdkTag,
  usePaypalPayment,
  type PaypalSetup,
  type SetupState,
  usePaypalSetup,
} from '../paypal-page/use-paypal-payment.tsx';
import { labPageByPath, type PaypalScreen, paypalScreenByPath } from '../paypal-page/variants.ts';

/** Pages with PayPal's script, the only ones whose policy allows its hosts. */
export const handle = { paypalScript: true };

function PaypalScriptPage() {
  const screen = paypalScreenByPath(usePage().address.pathname);
  return screen ? <ScriptPayment screen={screen} /> : null;
}

// In browsers only, and only the part that the page needs.
const WalletButtons = lazy(() => import('../paypal-page/wallet-buttons.tsx'));
const CardFields = lazy(() => import('../paypal-page/card-fields.tsx'));
const HostedFields = lazy(() => import('../paypal-page/hosted-fields.tsx'));

/** One page for every payment with PayPal's script; the table says what it shows. */
function ScriptPayment({ screen }: { screen: PaypalScreen }) {
  const { t } = useTranslation('lab');
  const state = usePaypalSetup(screen);
  const { status, sdk, orderId, events, calls, reset } = usePaypalPayment(screen.says);
  const [renders, setRenders] = useState(1);
  const [isDebugging, setDebugging] = useState(false);
  const hasButtons = screen.again ?? screen.hasDebug ?? screen.links;
  const shownSdk = state.kind === 'failed' ? 'failed' : sdk;

  return (
    <>
      <StartNotice screen={screen} state={state} />
      {state.kind === 'not_live' ? null : (
        <LabFacts
          facts={[
            { term: t('fact.sdk'), value: <SdkTag status={shownSdk} />, testId: 'sdk' },
            { term: t('fact.payment'), value: <PaymentTag status={status} />, testId: 'status' },
            ...(screen.again === 'buttons'
              ? [{ term: t('fact.renders'), value: renders, testId: 'renders' }]
              : []),
          ]}
        />
      )}
      {state.kind === 'ready' ? (
        <div className="mt-8">
          <RenderGuard key={renders} onError={calls.failToRender}>
            <Suspense fallback={null}>
              <Shown calls={calls} screen={screen} setup={state.setup} />
            </Suspense>
          </RenderGuard>
        </div>
      ) : null}
      {hasButtons ? (
        <FormActions>
          {screen.again && state.kind !== 'not_live' ? (
            <Button
              look="secondary"
              onClick={() => {
                if (screen.again === 'page') return location.reload();
                reset();
                setRenders((count) => count + 1);
              }}
              type="button"
            >
              {t(`again.${screen.again}`)}
            </Button>
          ) : null}
          {screen.hasDebug ? (
            <Button
              aria-expanded={isDebugging}
              look="secondary"
              onClick={() => setDebugging((now) => !now)}
              type="button"
            >
              {t('debugButton')}
            </Button>
          ) : null}
          {screen.links?.map((path) => (
            <PageLink key={path} path={path} />
          ))}
        </FormActions>
      ) : null}
      {isDebugging ? (
        <Raw>
          {JSON.stringify({ setup: shownOf(state), sdk, status, orderId, events }, null, 2)}
        </Raw>
      ) : null}
      {screen.hasDebug ? <SandboxAccount /> : null}
      <HomeLink />
    </>
  );
}

/** Tokens are not shown in full. */
function shownOf(state: SetupState) {
  if (state.kind !== 'ready') return state;
  const { isLive, clientId } = state.setup;
  return { kind: state.kind, isLive, clientId };
}

function Shown({
  screen,
  setup,
  calls,
}: {
  screen: PaypalScreen;
  setup: PaypalSetup;
  calls: PaymentCalls;
}) {
  if (screen.shows === 'card-fields') return <CardFields calls={calls} setup={setup} />;
  if (screen.shows === 'hosted-fields') return <HostedFields calls={calls} setup={setup} />;
  return (
    <WalletButtons
      calls={calls}
      funding={screen.funding ?? []}
      isGold={screen.live === 'asks'}
      setup={setup}
    />
  );
}

/** Says before anything is paid whether the payment is live. */
function StartNotice({ screen, state }: { screen: PaypalScreen; state: SetupState }) {
  const { t } = useTranslation('lab');
  if (!screen.live) return null;
  if (state.kind === 'not_live') {
    return screen.live === 'needs' ? (
      <Notice role="alert" title={t('systemError')} tone="red">
        <p lang="tr">{turkish.noLiveCredentials}</p>
      </Notice>
    ) : (
      <>
        <Notice role="status" title={t('sandbox.title')} tone="blue">
          <p>{t('sandbox.text')}</p>
        </Notice>
        <FormActions>
          {screen.links?.map((path) => (
            <PageLink key={path} look="primary" path={path} />
          ))}
        </FormActions>
      </>
    );
  }
  if (state.kind !== 'ready') return null;
  return (
    <Notice className="mb-6" role="alert" title={t('liveMode.title')} tone="red">
      <p>{t('liveMode.text')}</p>
    </Notice>
  );
}

function SandboxAccount() {
  const { t } = useTranslation('lab');
  return (
    <section className="prose mt-12">
      <h2 className="text-h2-form">
        {t('account.title')} <StatusTag tone="neutral">{t('account.tag')}</StatusTag>
      </h2>
      <p>{t('account.text')}</p>
      <p>{t('account.where')}</p>
    </section>
  );
}

/** Links to another page of the lab, which is another document. */
function PageLink({ path, look = 'plain' }: { path: string; look?: 'plain' | 'primary' }) {
  const { t } = useTranslation('lab');
  const href = useHref(path);
  const page = labPageByPath(path);
  return page ? (
    <ButtonAnchor href={href} look={look}>
      {t(`page.${page.key}.title`)}
    </ButtonAnchor>
  ) : null;
}

/** Error boundary for PayPal's components, so that the page stays. */
class RenderGuard extends Component<
  { onError: () => void; children: ReactNode },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch() {
    this.props.onError();
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}

export { PaypalScriptPage as default };
