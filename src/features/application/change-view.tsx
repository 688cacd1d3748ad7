import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from '~/ui/page/form.tsx';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { Card } from '~/ui/card.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import type { ChangeRefusal } from './find-change.server.ts';

/** The form in which an application is changed. */
export type ChangeForm = 'visa' | 'insurance';

export type ChangePageView =
  | {
      kind: 'asked';
      number: string;
      /** Whether a draft of another application in this browser would be replaced. */
      loses: boolean;
    }
  | { kind: 'refused'; why: ChangeRefusal; ref: string; supportEmail: string };

type Words = { form: ChangeForm; number: string; status: string };

/** Asks whether an unpaid application is to be opened again, or says why it cannot be. */
export function ChangeView({ view, words }: { view: ChangePageView; words: Words }) {
  const { t } = useTranslation('change');
  return (
    <NarrowPage>
      <title>{`${t('title')} · Lale`}</title>
      <meta content="noindex" name="robots" />
      {view.kind === 'asked' ? (
        <Question {...view} words={words} />
      ) : (
        <Refused {...view} words={words} />
      )}
    </NarrowPage>
  );
}

function Question({ number, loses, words }: { number: string; loses: boolean; words: Words }) {
  const { t } = useTranslation('change');
  return (
    <>
      <PageHead lead={t('lead')} title={t('title')} />
      <Card>
        <p className="text-small text-ink-2">{words.number}</p>
        <p>
          <NumberCode size="display" testId="application-number" value={number} />
        </p>
      </Card>
      <p className="mt-6">{t(`price.${words.form}`)}</p>
      {loses ? (
        <Notice className="mt-6" tone="amber">
          {t('loses')}
        </Notice>
      ) : null}
      <Form method="post">
        <FormActions>
          <Button name="intent" type="submit" value="change">
            {t('button')}
          </Button>
          <ButtonLink look="plain" to={`/status?ref=${number}`}>
            {t('leave')}
          </ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

function Refused({
  why,
  ref,
  supportEmail,
  words,
}: {
  why: ChangeRefusal;
  ref: string;
  supportEmail: string;
  words: Words;
}) {
  const { t } = useTranslation('change');
  return (
    <>
      <PageHead lead={t(`refused.${why}`)} title={t('refused.title')} />
      <p>{t('support', { email: supportEmail })}</p>
      <div className="form-actions">
        <ButtonLink look="secondary" to={why === 'unknown' ? '/status' : `/status?ref=${ref}`}>
          {words.status}
        </ButtonLink>
      </div>
    </>
  );
}
