import { useDeadlines } from '~/ui/moment.tsx';
import { formatMoney } from '~/base/money.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { TravellerView } from './travellers-view.ts';

/** A function that names a traveller: the name typed so far, or the number in the list. */
export function useTravellerName(): (one: Pick<TravellerView, 'name' | 'number'>) => string {
  const { t } = useTranslation('group');
  return ({ name, number }) => name || t('travellers.traveller', { number });
}

/** One traveller: what is known and missing, with links to continue, change or remove. */
export function TravellerCard({
  traveller,
  canRemove,
}: {
  traveller: TravellerView;
  /** False for the last traveller of a party. */
  canRemove: boolean;
}) {
  const { t } = useTranslation(['group', 'visa', 'catalog']);
  const language = useLanguage();
  const writeMoment = useDeadlines();
  const { position, number, country, documentType, todo, problem, reviewUrl, readyBy, price } =
    traveller;
  const name = useTravellerName()(traveller);
  const document = t(`catalog:travelDocument.${documentType}`, documentType);
  const isReady = todo === null && problem === null;
  return (
    <li className="rounded-card border border-line-2 bg-paper p-5 wide:px-8 wide:py-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h2 className="text-h2-form">
          {traveller.name === '' ? null : <span className="text-ink-2">{number}. </span>}
          <bdi>{name}</bdi>
        </h2>
        <StatusTag tone={isReady ? 'green' : 'amber'}>
          {t(isReady ? 'travellers.complete' : 'travellers.incomplete')}
        </StatusTag>
      </div>
      {country ? (
        <p className="mt-1.5 text-ink-2">{t('travellers.documentLine', { country, document })}</p>
      ) : null}
      {todo ? (
        <p className="mt-1.5">{t('travellers.missing', { step: t(`visa:steps.${todo.step}`) })}</p>
      ) : null}
      {problem ? <p className="mt-1.5">{t(`errors.${problem}.title`)}</p> : null}
      {isReady && readyBy !== null && price ? (
        <p className="mt-1.5">
          {t('travellers.readyBy', {
            moment: writeMoment(new Date(readyBy), 'dated'),
            amount: formatMoney(price, language),
          })}
        </p>
      ) : null}
      <div className="mt-4 flex flex-wrap items-start gap-x-6 gap-y-2">
        <ButtonLink look={todo ? 'primary' : 'secondary'} small to={todo?.url ?? reviewUrl}>
          {t(todo ? 'travellers.goOn' : 'travellers.change')}
          <span className="sr-only">{` ${name}`}</span>
        </ButtonLink>
        {canRemove ? (
          <details>
            <summary className="min-h-11 cursor-pointer py-2.5 underline underline-offset-4">
              {t('travellers.remove')}
              <span className="sr-only">{` ${name}`}</span>
            </summary>
            <p className="my-2">{t('travellers.removeText', { name })}</p>
            <Button look="danger" name="intent" small value={`remove:${position}`}>
              {t('travellers.removeNow')}
            </Button>
          </details>
        ) : null}
      </div>
    </li>
  );
}
