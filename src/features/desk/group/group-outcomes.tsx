import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useErrorText } from '../decision/error-text.tsx';
import type { TravellerOutcome } from './decide-together.server.ts';
import type { GroupAnswer } from './group-form.server.ts';

/** What became of each of the chosen travellers, or why nothing was done for anybody. */
export function GroupOutcomes({ answer }: { answer: GroupAnswer }) {
  const { t } = useTranslation(['decision', 'desk']);
  const { error, outcomes } = answer;
  const text = useErrorText(error && error.code !== 'none_chosen' ? error : null);
  if (error) {
    return (
      <Notice className="mt-3" role="alert" title={t('desk:error.title')} tone="red">
        {error.code === 'none_chosen' ? t('group.noneChosen') : text}
      </Notice>
    );
  }
  if (outcomes.length === 0) return null;
  const isAllDone = outcomes.every(({ kind }) => kind === 'done');
  return (
    <Notice
      className="mt-3"
      role={isAllDone ? 'status' : 'alert'}
      title={t(isAllDone ? 'group.allDone' : 'group.notAllDone')}
      tone={isAllDone ? 'green' : 'amber'}
    >
      <ul className="grid gap-2">
        {outcomes.map((outcome) => (
          <Outcome key={outcome.number} outcome={outcome} />
        ))}
      </ul>
    </Notice>
  );
}

function Outcome({ outcome }: { outcome: TravellerOutcome }) {
  const { t } = useTranslation('decision');
  const text = useErrorText(outcome.kind === 'refused' ? outcome.error : null);
  const { number, name } = outcome;
  const outcomeText =
    outcome.kind === 'done'
      ? t(`group.done.${outcome.word}`)
      : outcome.kind === 'no_document'
        ? t('group.noDocument')
        : text;
  return (
    <li>
      <bdi className="font-semibold">{name}</bdi>{' '}
      <span className="text-fine">
        <NumberCode value={number} />
      </span>
      <br />
      {outcomeText}
      {outcome.kind === 'refused' && outcome.draft ? (
        <>
          {' '}
          {/* A document of its own: its policy alone lets it frame the e-mail and the PDF. */}
          <a className="desk-link" href={`/admin/applications/${number}/decision/${outcome.draft}`}>
            {t(outcome.error.code === 'document_differs' ? 'group.compare' : 'group.openDraft')}
          </a>
        </>
      ) : null}
    </li>
  );
}
