import { useTranslation } from '~/ui/texts/texts.tsx';
import { useNow } from '~/ui/use-now.tsx';
import { GroupDecision } from './group-decision.tsx';
import type { GroupAnswer } from './group-form.server.ts';
import { GroupPreview } from './group-preview.tsx';
import { GroupOutcomes } from './group-outcomes.tsx';
import type { GroupView } from './group-view.server.ts';
import { SideBySide } from './side-by-side.tsx';

/** The travellers of an order beside one another, and what is decided for several of them at once. */
export function GroupSection({
  loaded,
  latest,
  answer,
  madeAt,
}: {
  /** As the page was loaded: what its forms were made from, so that a decision names what was seen. */
  loaded: GroupView;
  /** As they are now. */
  latest: GroupView;
  /** To what was just sent. */
  answer: GroupAnswer | null;
  madeAt: number;
}) {
  const { t } = useTranslation('decision');
  const { travellers } = loaded;
  const now = useNow(madeAt);
  return (
    <section className="mt-5 scroll-mt-2" id="group">
      <h2 id="travellers">{t('group.title', { count: travellers.length })}</h2>
      {answer ? <GroupOutcomes answer={answer} /> : null}
      {answer && answer.drafts.length > 0 ? (
        <GroupPreview drafts={answer.drafts} key={answer.drafts.map(({ id }) => id).join()} />
      ) : null}
      <SideBySide
        chosen={answer && chosenAfter(answer)}
        latest={latest.travellers}
        now={now}
        travellers={travellers}
      />
      <GroupDecision answer={answer} travellers={travellers} />
    </section>
  );
}

/**
 * Whom the page selects after an answer: those who were selected, less those for whom it is done; null for everybody
 * that is left, where it is done for all.
 */
function chosenAfter({ chosen, outcomes }: GroupAnswer): readonly string[] | null {
  const done = outcomes.flatMap(({ kind, number }) => (kind === 'done' ? number : []));
  const isAllDone = outcomes.length > 0 && done.length === outcomes.length;
  return isAllDone ? null : chosen.filter((number) => !done.includes(number));
}
