import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useErrorText } from '../application/error-text.tsx';
import type { SeveralOutcome } from './decide-several.server.ts';

/** What became of each of several: its application, of a PDF its file as well, and why nothing was done for it. */
export function SeveralOutcomes({
  outcomes,
  title,
}: {
  outcomes: readonly SeveralOutcome[];
  title: string;
}) {
  if (outcomes.length === 0) return null;
  const isAllDone = outcomes.every((one) => 'done' in one);
  return (
    <Notice
      className="mt-3"
      role={isAllDone ? 'status' : 'alert'}
      title={title}
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
  const { t } = useTranslation(['decision', 'pdf-batch']);
  const { file, application } = outcome;
  const draft = 'error' in outcome ? outcome.draft : null;
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
      <OutcomeText outcome={outcome} />
      {application && draft !== null ? (
        <>
          {' '}
          {/* A document of its own: its policy alone lets it frame the email and the PDF. */}
          <a
            className="desk-link"
            href={`/admin/applications/${application.number}/decision/${draft}`}
          >
            {t(isAboutPdf(outcome) ? 'group.compare' : 'group.openDraft')}
          </a>
        </>
      ) : null}
    </li>
  );
}

const isAboutPdf = (outcome: SeveralOutcome): boolean =>
  'error' in outcome && outcome.error.code === 'document_differs';

function OutcomeText({ outcome }: { outcome: SeveralOutcome }) {
  const { t } = useTranslation(['decision', 'pdf-batch']);
  const error = 'error' in outcome ? outcome.error : null;
  const isOwn =
    error?.code === 'no_document' ||
    error?.code === 'look_first' ||
    error?.code === 'no_application' ||
    error?.code === 'unknown_number';
  const refusal = useErrorText(isOwn ? null : error);
  if ('done' in outcome) return t(`group.done.${outcome.done}`);
  if (error?.code === 'no_document') return t('group.noDocument');
  if (error?.code === 'unknown_number')
    return t('pdf-batch:outcome.unknown_number', { typed: error.typed });
  if (error?.code === 'look_first' || error?.code === 'no_application')
    return t(`pdf-batch:outcome.${error.code}`);
  return refusal;
}
