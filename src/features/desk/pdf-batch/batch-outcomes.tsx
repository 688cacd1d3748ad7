import { Notice } from '~/ui/notice.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useErrorText } from '../decision/error-text.tsx';
import type { FileOutcome } from './approve-batch.server.ts';

/** What happened to each ticked file. */
export function BatchOutcomes({
  outcomes,
  isNone,
}: {
  outcomes: readonly FileOutcome[];
  isNone: boolean;
}) {
  const { t } = useTranslation(['pdf-batch', 'desk']);
  if (isNone) {
    return (
      <Notice className="mt-3" role="alert" tone="red">
        {t('noneTicked')}
      </Notice>
    );
  }
  if (outcomes.length === 0) return null;
  const approved = outcomes.filter(({ kind }) => kind === 'approved').length;
  const isAll = approved === outcomes.length;
  return (
    <Notice
      className="mt-3"
      role={isAll ? 'status' : 'alert'}
      title={
        approved > 0
          ? t('approved', { done: approved, total: outcomes.length })
          : t('desk:error.title')
      }
      tone={isAll ? 'green' : 'amber'}
    >
      <ul className="grid gap-2" data-testid="outcomes">
        {outcomes.map((outcome) => (
          <li className="wrap-anywhere" key={outcome.id}>
            <bdi className="font-semibold">{outcome.file}</bdi>
            <br />
            <OutcomeText outcome={outcome} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function OutcomeText({ outcome }: { outcome: FileOutcome }) {
  const { t } = useTranslation('pdf-batch');
  const error = useErrorText(outcome.kind === 'refused' ? outcome.error : null);
  if (outcome.kind === 'unknown_number')
    return t('outcome.unknown_number', { typed: outcome.typed });
  if (outcome.kind !== 'approved' && outcome.kind !== 'refused')
    return t(`outcome.${outcome.kind}`);
  const { number, name } = outcome;
  return (
    <>
      <Link to={`/admin/applications/${number}`}>
        <bdi>{name}</bdi>
      </Link>{' '}
      <span className="text-fine">
        <NumberCode value={number} />
      </span>{' '}
      {error ?? t('outcome.approved')}
    </>
  );
}
