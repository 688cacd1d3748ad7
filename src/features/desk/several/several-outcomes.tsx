import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useErrorText } from '../application/error-text.tsx';
import type { SeveralOutcome } from './decide-several.server.ts';

/** What became of each of several: its application, of a PDF its file as well, and why nothing was done for it. */
export function SeveralOutcomes({ outcomes }: { outcomes: readonly SeveralOutcome[] }) {
  const { t } = useTranslation('decision');
  if (outcomes.length === 0) return null;
  const done = outcomes.filter((one) => 'done' in one).length;
  const isAllDone = done === outcomes.length;
  return (
    <Notice
      className="mt-3"
      role={isAllDone ? 'status' : 'alert'}
      title={t('several.done', { done, total: outcomes.length })}
      tone={isAllDone ? 'green' : 'amber'}
    >
      <ul className="grid gap-2" data-testid="outcomes">
        {outcomes.map((one) => (
          <Outcome key={one.id} outcome={one} />
        ))}
      </ul>
    </Notice>
  );
}

function Outcome({ outcome }: { outcome: SeveralOutcome }) {
  const { t } = useTranslation('decision');
  const { file, application } = outcome;
  const refusal = useErrorText('error' in outcome ? outcome.error : null);
  return (
    <li className="wrap-anywhere">
      {file === undefined ? null : <bdi className="block font-semibold">{file}</bdi>}
      {application ? (
        <span className="block">
          <Link to={`/admin/applications/${application.number}`}>
            <bdi className="font-semibold">{application.name}</bdi>
          </Link>{' '}
          <span className="text-fine">
            <NumberCode value={application.number} />
          </span>
        </span>
      ) : null}
      {'done' in outcome ? t(`several.${outcome.done}`) : refusal}
    </li>
  );
}
