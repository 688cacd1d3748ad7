import { ErrorSummary, type FieldProblem } from '~/ui/fields/error-summary.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';

/** The title of a form's page, which says so where something is wrong, and what is wrong above all. */
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
