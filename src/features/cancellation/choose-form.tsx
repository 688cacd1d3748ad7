import { Button, ButtonLink } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FieldSet } from '~/ui/fields/field-set.tsx';
import { FormActions } from '~/ui/layout.tsx';
import { Form } from '~/ui/page/form.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { CancelView } from './cancel-view.server.ts';
import { statusPath } from './plain-views.tsx';

/** Which applications of the order are to be cancelled; none is ticked beforehand. */
export function ChooseForm({
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
