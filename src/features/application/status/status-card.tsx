import type { PlainDate } from '~/base/dates/dates.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { Link } from '~/ui/page/link.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Form } from '~/ui/page/form.tsx';
import { Panel } from '~/ui/card.tsx';
import { BoughtCovers } from '../cover/cover-table.tsx';
import type { CoverView } from '../cover/cover-view.ts';
import { CalendarLink } from '../calendar/calendar-link.tsx';
import { CorrectionNotice } from './correction-notice.tsx';
import { DownloadBox } from './download-box.tsx';
import { PayBox } from './pay-box.tsx';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { Money } from '~/base/money.ts';
import { ProcessingRefundLink } from '../self-service/processing-refund-link.tsx';
import type { CancelNow } from '../self-service/cancel-now.server.ts';
import { CancelLink } from '../self-service/cancel-link.tsx';
import { shownStatusOf } from './shown-status.ts';
import { ReceiptLinks } from './receipt-links.tsx';
import { Stages } from './stages.tsx';
import { StatusFacts } from './status-facts.tsx';
import { StatusTags } from './status-tags.tsx';
import { StatusText } from './status-text.tsx';
import type { AskedEmail, RefusedDate, StatusView } from './status-view.ts';
import { SupportLine } from './support-line.tsx';

export function StatusCard({
  view,
  covers,
  enterBy,
  cancelNow,
  processingRefund,
  asksFor,
  refused,
  sent,
  supportEmail,
  otherWay,
}: {
  view: StatusView;
  /** The terms that the insurance was bought on. */
  covers: readonly CoverView[];
  /** The last day to enter Türkiye, where that is limited. */
  enterBy: PlainDate | null;
  /** What cancelling pays back, for the payer. */
  cancelNow: CancelNow | null;
  /** What the payer may have refunded because we missed the promised moment. */
  processingRefund: Money | null;
  /** What the traveller wants to download and is asked the date of birth for: the id of a receipt, or the document. */
  asksFor: string | null;
  /** The date of birth that was refused. */
  refused: RefusedDate | null;
  /** What was just sent by email. */
  sent: AskedEmail | null;
  supportEmail: string;
  /** The other way to pay. */
  otherWay: ProviderName | null;
}) {
  const { t } = useTranslation('application');
  const shownStatus = shownStatusOf(view);
  const asksForReceipt = view.receipts.some(({ id }) => id === asksFor);
  return (
    <div className="mt-10 print:mt-4">
      <Panel
        side={
          <>
            <h3 className="text-h3">{t('progress.title')}</h3>
            <Stages kind={view.kind} stages={view.timeline} />
            <CalendarLink view={view} />
          </>
        }
      >
        <div className="flex flex-wrap gap-2">
          <StatusTags testId="status" view={view} />
        </div>
        <StatusText
          enterBy={enterBy}
          shownStatus={shownStatus}
          supportEmail={supportEmail}
          view={view}
        />
        {view.correction ? <CorrectionNotice correction={view.correction} view={view} /> : null}
        {shownStatus === 'unpaid' && view.due ? (
          <PayBox due={view.due} other={otherWay} view={view} />
        ) : null}
        {shownStatus === 'closed' ? (
          <div className="form-actions">
            <ButtonLink to={view.kind === 'visa' ? '/application' : '/insurance'}>
              {t(`closed.${view.kind}`)}
            </ButtonLink>
          </div>
        ) : null}
        {sent === 'document' ? (
          <Notice className="mt-6" role="status" tone="green">
            {t('download.linkSent')}
          </Notice>
        ) : null}
        {view.document ? (
          <DownloadBox
            isAsked={asksFor !== null && !asksForReceipt}
            refused={refused}
            view={view}
          />
        ) : null}
        {view.wholeOrder ? (
          <p className="mt-6">
            <Link to={`/status?ref=${view.wholeOrder}`}>{t('group.toOrder')}</Link>
          </p>
        ) : null}
        <StatusFacts view={view} />
        <BoughtCovers covers={covers} heading="h3" />
        <section className="mt-6 border-t border-line pt-6 print:hidden">
          <h3 className="text-h3">{t('manage')}</h3>
          <ul className="mt-2 grid justify-items-start gap-x-7 gap-y-2">
            <li>
              <CopyButton isSent={sent === 'copy'} number={view.number} />
            </li>
            {processingRefund ? (
              <li>
                <ProcessingRefundLink due={processingRefund} number={view.number} />
              </li>
            ) : null}
            {view.cancellable ? (
              <li>
                <CancelLink now={cancelNow} number={view.number} />
              </li>
            ) : null}
          </ul>
        </section>
        <ReceiptLinks asksFor={asksFor} refused={refused} view={view} />
        {shownStatus === 'rejected' ? null : (
          <SupportLine className="text-small mt-6" email={supportEmail} number={view.number} />
        )}
      </Panel>
    </div>
  );
}

/** Has a copy of all answers sent to the application's own email address, whoever asks. */
function CopyButton({ number, isSent }: { number: string; isSent: boolean }) {
  const { t } = useTranslation('application');
  if (isSent) return <p role="status">{t('copy.sent')}</p>;
  return (
    <Form method="post">
      <input name="ref" type="hidden" value={number} />
      <Button look="plain" name="send" value={'copy' satisfies AskedEmail}>
        {t('copy.link')}
      </Button>
    </Form>
  );
}
