import { Form } from 'react-router';
import { formatCount } from '~/features/desk/frame/formats.ts';
import { Button } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { GroupCounts } from './group-counts.tsx';
import { useTyped, type PrivacyAnswer } from './privacy-frame.tsx';
import type { RequestView } from './requests-view.server.ts';

/** What an erasure would delete and what stays and why; once done, the proof of it. */
export function ErasureSection({
  view,
  answer,
}: {
  view: RequestView;
  answer: PrivacyAnswer | undefined;
}) {
  const { t } = useTranslation('privacy');
  const { errorAt } = useTyped(answer);
  const { plan, years } = view;
  const language = useLanguage();
  const isEmpty = plan?.goes.length === 0 && plan.changes.length === 0;
  return (
    <section>
      <h2>{t('erasure.title')}</h2>
      <Proof view={view} />
      {plan && isEmpty ? <p>{t('error.nothing_chosen')}</p> : null}
      {plan && !isEmpty ? (
        <>
          <h3>{t('erasure.goes')}</h3>
          <GroupCounts counts={plan.goes} files={plan.files} />
          {plan.changes.length > 0 ? (
            <>
              <h3>{t('erasure.changed')}</h3>
              <GroupCounts counts={plan.changes} />
            </>
          ) : null}
          {plan.stays.length > 0 ? (
            <>
              <h3>{t('erasure.stays', { years: years.ledger })}</h3>
              <GroupCounts counts={plan.stays} />
            </>
          ) : null}
          {plan.insurances > 0 ? (
            <p>
              {t('erasure.insurances', {
                years: years.insurance,
                count: formatCount(plan.insurances, language),
              })}
            </p>
          ) : null}
          {plan.blockers.length > 0 ? (
            <Notice title={t('erasure.blocked')} tone="amber">
              <ul>
                {plan.blockers.map(({ code, number }) => (
                  <li key={`${code} ${number}`}>{t(`blocker.${code}`, { number })}</li>
                ))}
              </ul>
            </Notice>
          ) : (
            <Form method="post">
              {plan.trips.length > 0 ? (
                <>
                  <Notice title={t('erasure.trips')} tone="amber">
                    <ul>
                      {plan.trips.map(({ number, date }) => (
                        <li key={number}>{t('erasure.trip', { number, date })}</li>
                      ))}
                    </ul>
                  </Notice>
                  <CheckBox
                    error={errorAt('confirmTrip')}
                    label={t('erasure.confirmTrip')}
                    name="confirmTrip"
                  />
                </>
              ) : null}
              <CheckBox error={errorAt('confirm')} label={t('erasure.confirm')} name="confirm" />
              <Button look="danger" name="intent" value="erase">
                {t('erasure.submit')}
              </Button>
            </Form>
          )}
        </>
      ) : null}
    </section>
  );
}

function Proof({ view: { erased, proof, check } }: { view: RequestView }) {
  const { t } = useTranslation('privacy');
  const language = useLanguage();
  if (!erased || !proof || !check) return null;
  const isClean = check.rows + check.found + check.files === 0;
  const count = (value: number) => formatCount(value, language);
  return (
    <>
      <p>{t('erasure.done', erased)}</p>
      <GroupCounts counts={proof.goes} files={proof.files} />
      {proof.changes.length > 0 ? (
        <>
          <h3>{t('erasure.emptied')}</h3>
          <GroupCounts counts={proof.changes} />
        </>
      ) : null}
      <Notice tone={isClean ? 'green' : 'amber'}>
        {isClean
          ? t('erasure.clean')
          : t('erasure.left', {
              rows: count(check.rows),
              found: count(check.found),
              files: count(check.files),
            })}
      </Notice>
    </>
  );
}
