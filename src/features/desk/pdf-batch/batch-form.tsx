import { Form, useLocation, useNavigation } from 'react-router';
import { Button } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { MOST_FILES } from './batch.ts';
import type { FileOutcome } from './approve-batch.server.ts';
import { BatchOutcomes } from './batch-outcomes.tsx';
import type { BatchView } from './batch-view.server.ts';
import { BatchRow } from './batch-row.tsx';
import { Unsent } from './unsent-notice.tsx';
import { unsentIn } from './unsent.ts';

type Answer = { outcomes: FileOutcome[]; isNone: boolean };

/** The files of a batch, each with the application it may be for, and one button that approves what is ticked. */
export function BatchForm({ view, answer }: { view: BatchView; answer: Answer | null }) {
  const { t } = useTranslation('pdf-batch');
  const navigation = useNavigation();
  const unsent = unsentIn(useLocation().state);
  const waiting = view.files.filter(({ kind }) => kind === 'waiting');
  const isBusy = navigation.state === 'submitting';
  return (
    <>
      <h1>{t('check')}</h1>
      <p className="mt-1 max-w-[70ch] text-ink-2">{t('checkLead')}</p>
      {answer ? <BatchOutcomes {...answer} /> : null}
      <Unsent names={unsent} />
      {view.leftOut > 0 ? (
        <Notice className="mt-3" tone="amber">
          {t('leftOut', { files: view.leftOut, most: MOST_FILES })}
        </Notice>
      ) : null}
      <Form
        className="mt-4 grid max-w-[900px] grid-cols-1 gap-4"
        // Made anew with each answer: boxes take their ticks only as they are made.
        key={`${JSON.stringify(answer?.outcomes ?? null)} ${view.files.map((one) => one.kind).join()}`}
        method="post"
        preventScrollReset
      >
        {/* The first button is the one that the return key presses: it approves nothing. */}
        <button aria-hidden className="hidden" name="intent" tabIndex={-1} value="find_files" />
        <ul className="grid grid-cols-1 gap-4">
          {view.files.map((file) => (
            <BatchRow batch={view.id} file={file} key={file.id} />
          ))}
        </ul>
        {waiting.length > 0 ? (
          <div className="flex flex-wrap items-center gap-3 border-t border-line pt-4">
            <Button busy={isBusy} name="intent" small value="approve_files">
              {t('approve')}
            </Button>
            <Button look="secondary" name="intent" small value="find_files">
              {t('find')}
            </Button>
            <p className="basis-full text-fine text-ink-2">{t('approveHint')}</p>
          </div>
        ) : null}
      </Form>
      <p className="mt-4">
        <Link to="/admin/pdfs">{t('more')}</Link>
      </p>
    </>
  );
}
