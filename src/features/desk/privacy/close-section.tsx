import { Form } from 'react-router';
import { outcomes } from '~/features/desk/privacy-cases/privacy-case.ts';
import { Button } from '~/ui/button.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { LONGEST_ANSWER, LONGEST_REASON } from './case-problem.ts';
import { useTyped, type PrivacyAnswer } from './privacy-frame.tsx';
import type { RequestView } from './requests-view.server.ts';

type Props = { view: RequestView; answer: PrivacyAnswer | undefined };

/** More time to answer, where the law gives it. */
export function ExtendSection({ view, answer }: Props) {
  const { t } = useTranslation('privacy');
  const { value, errorAt } = useTyped(answer);
  if (!view.mayExtend) return null;
  return (
    <section>
      <h2>{t('extend.title')}</h2>
      <p>{t('extend.text')}</p>
      <Form method="post">
        <TextArea
          defaultValue={value('why')}
          error={errorAt('why')}
          label={t('extend.why')}
          maxLength={LONGEST_REASON}
          name="why"
        />
        <Button name="intent" value="extend" look="secondary">
          {t('extend.submit')}
        </Button>
      </Form>
    </section>
  );
}

/** The answer and the end of a request. */
export function CloseSection({ view, answer }: Props) {
  const { t } = useTranslation('privacy');
  const { value, errorAt } = useTyped(answer);
  if (view.closed) {
    return (
      <section>
        <h2>{t('close.title')}</h2>
        <p>
          {view.outcome ? t(`outcome.${view.outcome}`) : null}
          <br />
          <span className="text-ink-2">{t('close.done', view.closed)}</span>
        </p>
        <blockquote className="border-s-2 border-line-2 ps-3 whitespace-pre-line" dir="auto">
          {view.answer}
        </blockquote>
      </section>
    );
  }
  return (
    <section>
      <h2>{t('close.title')}</h2>
      <Form method="post">
        <RadioList
          defaultValue={value('outcome')}
          error={errorAt('outcome')}
          label={t('close.outcome')}
          name="outcome"
          options={outcomes.map((one) => ({ value: one, label: t(`outcome.${one}`) }))}
        />
        <TextArea
          defaultValue={value('answer') ?? view.reply ?? undefined}
          // It changes with what was done, and what was typed stays otherwise.
          key={view.reply}
          dir="auto"
          error={errorAt('answer')}
          hint={t('close.answerHint', { years: view.years.request })}
          label={t('close.answer')}
          maxLength={LONGEST_ANSWER}
          name="answer"
          rows={view.reply ? 16 : 6}
        />
        <Button name="intent" value="close">
          {t('close.submit')}
        </Button>
      </Form>
    </section>
  );
}
