import { useTranslation } from 'react-i18next';
import { Form } from 'react-router';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { Card } from '~/ui/card.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { NumberCode } from '~/ui/number-code.tsx';
import { openChangePage, takeChange } from '../change/change-page.server.ts';
import type { Route } from './+types/change.ts';

export const loader = (args: Route.LoaderArgs) => openChangePage(args);
export const action = (args: Route.ActionArgs) => takeChange(args);

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export default function ChangePage({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('visa');
  return (
    <NarrowPage>
      <title>{`${t('change.title')} · Lale`}</title>
      <meta content="noindex" name="robots" />
      {loaderData.kind === 'asked' ? <Asked {...loaderData} /> : <Refused {...loaderData} />}
    </NarrowPage>
  );
}

function Asked({ number, loses }: { number: string; loses: boolean }) {
  const { t } = useTranslation('visa');
  return (
    <>
      <PageHead lead={t('change.lead')} title={t('change.title')} />
      <Card>
        <p className="small text-ink-2">{t('submitted.number')}</p>
        <p>
          <NumberCode size="display" testId="application-number" value={number} />
        </p>
      </Card>
      <p className="mt-6">{t('change.price')}</p>
      {loses ? (
        <Notice className="mt-6" tone="amber">
          {t('change.loses')}
        </Notice>
      ) : null}
      <Form method="post">
        <FormActions>
          <Button name="intent" type="submit" value="change">
            {t('change.button')}
          </Button>
          <ButtonLink look="plain" to={`/status?ref=${number}`}>
            {t('change.leave')}
          </ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

function Refused({ why, ref, supportEmail }: { why: string; ref: string; supportEmail: string }) {
  const { t } = useTranslation('visa');
  return (
    <>
      <PageHead lead={t(`change.refused.${why}`)} title={t('change.refused.title')} />
      <p>{t('change.support', { email: supportEmail })}</p>
      <div className="form-actions">
        <ButtonLink look="secondary" to={why === 'unknown' ? '/status' : `/status?ref=${ref}`}>
          {t('submitted.status')}
        </ButtonLink>
      </div>
    </>
  );
}
