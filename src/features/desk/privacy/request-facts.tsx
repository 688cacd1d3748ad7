import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { formatLanguage } from '../frame/formats.ts';
import { DaysLeft } from './request-state.tsx';
import type { RequestView } from './requests-view.server.ts';

/** When and how a request arrived, how long it may take, and what the person gave to be found by. */
export function RequestFacts({ view }: { view: RequestView }) {
  const { t } = useTranslation('privacy');
  const language = useLanguage();
  const { row, law, arrival, given, opened, extended, extensionWhy } = view;
  const facts: [term: string, value: ReactNode][] = [
    [
      t('list.due'),
      <span className="flex flex-wrap items-center gap-2" key="due">
        {row.due} <DaysLeft isUrgent={row.isUrgent} left={row.left} />
      </span>,
    ],
    [t('list.arrived'), `${row.arrived} · ${t(`arrival.${arrival}`)}`],
    [t('field.law'), t(`law.${law}`)],
    [t('field.language'), formatLanguage(view.language, language)],
    ...(['number', 'email', 'passport'] as const).flatMap((name): typeof facts =>
      given[name].trim() === ''
        ? []
        : [
            [
              t(`field.${name}`),
              <bdi dir="ltr" key={name}>
                {given[name]}
              </bdi>,
            ],
          ],
    ),
  ];
  return (
    <>
      <dl className="grid gap-x-6 gap-y-2 wide:grid-cols-[220px_minmax(0,1fr)] [&_dd]:wrap-anywhere [&_dt]:text-ink-2">
        {facts.map(([term, value]) => (
          <div className="wide:col-span-2 wide:grid wide:grid-cols-subgrid" key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-ink-2">{opened ? t('recorded', opened) : null}</p>
      {extended ? (
        <p>
          {t('extend.done', extended)}: <span dir="auto">{extensionWhy}</span>
        </p>
      ) : null}
    </>
  );
}
