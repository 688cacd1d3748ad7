import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from '~/ui/page/form.tsx';
import { usePage } from '~/ui/page/page-context.tsx';
import { Button, ButtonAnchor } from '~/ui/button.tsx';
import { Card, Facts } from '~/ui/card.tsx';
import { Notice } from '~/ui/notice.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { labContext } from '../context.server.ts';
import { diagnose } from '../diagnose.server.ts';
import { HomeLink } from '../paypal-page/lab-frame.tsx';
import type { Route } from './+types/diagnostics.ts';

export function loader({ context }: Route.LoaderArgs) {
  return { gatewayPage: context.get(labContext).gatewayPage };
}

/** Only the configured gateway is asked: an address in the query would let anybody probe our network. */
export async function action({ context }: Route.ActionArgs) {
  const { gatewayEndpoint } = context.get(labContext);
  return { result: gatewayEndpoint ? await diagnose(gatewayEndpoint) : ('error' as const) };
}

const tones = { working: 'green', error: 'red', unknown: 'neutral' } as const;
/** The customer's specification gives these sentences to the letter. */
const sentences = {
  working: 'GPay API is responding normally',
  error: 'GPay API is currently experiencing issues',
};

const steps = ['wait', 'browser', 'network', 'support'] as const;

function Diagnostics({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('lab');
  const isChecking = usePage().sending !== null;
  const result = actionData?.result ?? 'unknown';
  return (
    <>
      <Notice title={t('diagnostics.known.title')} tone="amber">
        <p>{t('diagnostics.known.text')}</p>
      </Notice>
      <div className="mt-6">
        <Card>
          <Facts
            facts={[
              {
                term: t('diagnostics.gateway'),
                value: (
                  <StatusTag tone={tones[result]}>{t(`diagnostics.result.${result}`)}</StatusTag>
                ),
                testId: 'diagnosis',
              },
            ]}
            layout="rows"
          />
          <div aria-live="polite">
            {result === 'unknown' ? null : (
              <p className="mt-4" lang="en">
                {sentences[result]}
              </p>
            )}
          </div>
          <Form className="form-actions" method="post">
            <Button busy={isChecking}>{t('diagnostics.check')}</Button>
            {loaderData.gatewayPage ? (
              <ButtonAnchor
                href={loaderData.gatewayPage}
                look="secondary"
                rel="noreferrer"
                target="_blank"
              >
                {t('diagnostics.direct')}
              </ButtonAnchor>
            ) : null}
          </Form>
        </Card>
      </div>
      <section className="prose mt-12">
        <h2 className="text-h2-form">{t('diagnostics.steps.title')}</h2>
        <ol>
          {steps.map((step) => (
            <li key={step}>{t(`diagnostics.steps.${step}`)}</li>
          ))}
        </ol>
      </section>
      <HomeLink />
    </>
  );
}

export { Diagnostics as default };
