import type { ReactNode } from 'react';
import { Form } from '~/ui/page/form.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { ANSWERS_FORM } from '~/ui/answers-form.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { ErrorSummary } from '~/ui/fields/error-summary.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import type { CorrectionOver } from './correction-answer.ts';

/** What staff wrote, and the controls of the reopened fields, which are the children. */
export function CorrectionPage({
  note,
  problems,
  takesFiles = false,
  children,
}: {
  note: string;
  problems: { name: string; message: string }[];
  takesFiles?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation(['correction', 'ui']);
  const prefix = problems.length > 0 ? `${t('ui:errorSummary.titlePrefix')} ` : '';
  return (
    <NarrowPage>
      <title>{`${prefix}${t('page.title')} · Lale`}</title>
      <ErrorSummary problems={problems} />
      <PageHead lead={t('page.lead')} title={t('page.title')} />
      <Notice title={t('page.note')} tone="amber">
        <p className="whitespace-pre-line" dir="auto">
          {note}
        </p>
      </Notice>
      <Form
        className="mt-8"
        encType={takesFiles ? 'multipart/form-data' : undefined}
        id={ANSWERS_FORM}
        method="post"
        noValidate
      >
        <div className="form-fields">{children}</div>
        <FormActions>
          <Button arrow type="submit">
            {t('page.send')}
          </Button>
        </FormActions>
      </Form>
    </NarrowPage>
  );
}

/** Done now, done before, or too late: each says what is next. */
export function CorrectionEnd({ word }: { word: 'done' | CorrectionOver }) {
  const { t } = useTranslation('correction');
  const title = t(`page.${word}Title`);
  return (
    <NarrowPage>
      <title>{`${title} · Lale`}</title>
      <PageHead lead={t(`page.${word}Lead`)} title={title} />
      {/* Nothing to answer any more, but another language may be asked for. */}
      <form hidden id={ANSWERS_FORM} method="post" />
      <FormActions>
        <ButtonLink arrow to="/status">
          {t('page.status')}
        </ButtonLink>
      </FormActions>
    </NarrowPage>
  );
}
