import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { dateOf, formatDate, UTC } from '~/base/dates/dates.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import { changePath } from '~/features/order/payer/change-path.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { documentOf, shownStatusOf } from '../status/shown-status.ts';
import { StatusTags } from '../status/status-tags.tsx';
import type { StatusView } from '../status/status-view.ts';
import { fullName } from '../full-name.ts';
import { Moment } from '~/ui/moment.tsx';
import { readyText } from '../calendar/promised.ts';

/** One traveller of an order: e-visa and insurance, each with its number, status and next step. */
export function TravellerCard({
  position,
  applications,
}: {
  position: number;
  applications: readonly StatusView[];
}) {
  const { t } = useTranslation('application');
  const [first] = applications;
  if (!first) return null;
  const name = fullName(first);
  const headingId = `traveller-${position}`;
  return (
    <li
      className="rounded-card border border-line-2 bg-paper p-5 wide:p-8"
      data-testid={`traveller-${position}`}
    >
      <p className="text-small text-ink-2">{t('group.traveller', { position })}</p>
      <h3 className="text-h3 wrap-anywhere" id={headingId}>
        <bdi>{name}</bdi>
      </h3>
      <ul className="mt-4 grid grid-cols-1 gap-5">
        {applications.map((view) => (
          <li className="border-t border-line pt-4" key={view.number}>
            <TravellerApplication headingId={headingId} view={view} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function TravellerApplication({ view, headingId }: { view: StatusView; headingId: string }) {
  const { t } = useTranslation('application');
  const shownStatus = shownStatusOf(view);
  const isWaiting = shownStatus === 'pending' || shownStatus === 'processing';
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <span className="font-semibold">{t(`kind.${view.kind}`)}</span>
        <Link className="inline-flex min-h-11 items-center" to={`/status?ref=${view.number}`}>
          <NumberCode value={view.number} />
        </Link>
        <span className="flex flex-wrap gap-2">
          <StatusTags view={view} />
        </span>
      </div>
      <p className="mt-2 text-ink-2 [&_strong]:text-ink">
        <StateSentence view={view} />{' '}
        {isWaiting && view.promisedAt ? (
          <Trans
            components={{
              promise: <Moment at={view.promisedAt} />,
              moment: <Moment at={view.promisedAt} />,
            }}
            i18nKey={view.isMissed ? 'late.waiting' : readyText(view)}
            t={t}
          />
        ) : null}
      </p>
      {view.document ? (
        <div className="mt-3">
          <ButtonLink
            aria-describedby={headingId}
            className="max-wide:w-full"
            icon="download"
            look="secondary"
            small
            to={`/status?ref=${view.number}&download=yes#dateOfBirth`}
          >
            {t(`download.${documentOf(view)}`)}
          </ButtonLink>
        </div>
      ) : null}
      {/* An insurance beside an e-visa is changed together with the e-visa. */}
      {shownStatus === 'unpaid' && (view.kind === 'visa' || view.beside.length === 0) ? (
        <ButtonLink
          aria-describedby={headingId}
          look="plain"
          to={changePath(view.number, view.orderNumber)}
        >
          {t('group.change')}
        </ButtonLink>
      ) : null}
    </>
  );
}

function StateSentence({ view }: { view: StatusView }) {
  const { t } = useTranslation('application');
  const language = useLanguage();
  const day = view.cancelledAt ?? view.correction?.until ?? view.decidedAt;
  const date = day ? formatDate(dateOf(day, UTC), language) : '';
  return t(`group.state.${stateOf(view)}`, { date });
}

function stateOf(view: StatusView): CodeIn<'application', 'group.state'> {
  if (view.cancelledAt) return 'withdrawn';
  const shownStatus = shownStatusOf(view);
  const isInsurance = view.kind === 'insurance';
  if (shownStatus === 'approved') {
    if (!view.document) return 'approvedWithoutFile';
    return isInsurance ? 'approvedInsurance' : 'approved';
  }
  if (shownStatus === 'rejected' && view.rejection?.code === 'withdrawn') return 'withdrawn';
  if (isInsurance && (shownStatus === 'pending' || shownStatus === 'processing')) {
    return 'pendingInsurance';
  }
  return shownStatus;
}
