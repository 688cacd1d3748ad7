import { Form } from 'react-router';
import { identityChecks } from './privacy-case.ts';
import { formatCount } from '../frame/formats.ts';
import { Button } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FieldSet } from '~/ui/fields/field-set.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { useTyped, type PrivacyAnswer } from './privacy-frame.tsx';
import type { RequestView } from './requests-view.server.ts';

type Props = { view: RequestView; answer: PrivacyAnswer | undefined };

/** How it was made sure who asks, and which data is theirs. */
export function IdentitySection({ view, answer }: Props) {
  const { t } = useTranslation('privacy');
  const language = useLanguage();
  const { identity, chosenCount, closed, erased } = view;
  const form = closed || erased ? null : <IdentityForm answer={answer} view={view} />;
  return (
    <section>
      <h2>{t('identity.title')}</h2>
      {identity ? (
        <>
          <p>
            {t(`check.${identity.check}`)}
            <br />
            <span className="text-ink-2">
              {t('recorded', { name: identity.name, moment: identity.moment })}
            </span>
          </p>
          <p>{t('identity.count', { count: formatCount(chosenCount, language) })}</p>
          {form ? (
            <details className="desk-more" open={answer?.typed.intent === 'identity'}>
              <summary>{t('identity.again')}</summary>
              {form}
            </details>
          ) : null}
        </>
      ) : (
        <>
          <p>{t('identity.lead')}</p>
          {form}
        </>
      )}
    </section>
  );
}

function IdentityForm({ view: { identity, choices }, answer }: Props) {
  const { t } = useTranslation('privacy');
  const { value, errorAt } = useTyped(answer);
  return (
    <Form method="post">
      <RadioList
        defaultValue={value('check') ?? identity?.check}
        error={errorAt('check')}
        label={t('identity.check')}
        name="check"
        options={identityChecks.map((one) => ({ value: one, label: t(`check.${one}`) }))}
      />
      <FieldSet hint={t('identity.chooseHint')} label={t('identity.choose')} name="own">
        {choices.length === 0 ? <p>{t('identity.nothing')}</p> : null}
        {choices.map((choice, index) => (
          <CheckBox
            defaultChecked={choice.isChosen}
            id={index === 0 ? 'own' : `own-${index}`}
            key={choice.value}
            label={
              <>
                {choice.label}
                <br />
                <bdi className="text-ink-2">{choice.detail}</bdi>
              </>
            }
            name="own"
            value={choice.value}
          />
        ))}
      </FieldSet>
      <Button name="intent" value="identity">
        {t('identity.submit')}
      </Button>
    </Form>
  );
}
