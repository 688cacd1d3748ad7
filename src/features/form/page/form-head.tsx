import { ErrorSummary, type FieldProblem } from '~/ui/fields/error-summary.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';

/** The heading of a form's page, and the summary of what is wrong; the document title then begins with "Error". */
export function FormHead({
  title,
  problems,
}: {
  title: string;
  problems: readonly FieldProblem[];
}) {
  const { t } = useTranslation('ui');
  const prefix = problems.length > 0 ? `${t('errorSummary.titlePrefix')} ` : '';
  return (
    <>
      <title>{`${prefix}${title} · Lale`}</title>
      <ErrorSummary problems={problems} />
    </>
  );
}
