import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { saysWhy } from '~/features/application/rejection.ts';
import { RejectionText } from '~/features/application/status/rejection-text.tsx';
import type { Detail } from '../records/detail.server.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { CaseFile } from './case-file.server.ts';
import { timelineOf, type Happening } from './timeline.ts';

/** The history of an application, oldest first. */
export function TimelineSection({
  application,
  caseFile,
}: {
  application: Detail;
  caseFile: CaseFile;
}) {
  const { t } = useTranslation('case-file');
  const { events, attempts } = application;
  const entries = timelineOf({ ...caseFile, events, attempts });
  return (
    <section className="desk-facts" id="timeline">
      <h3>{t('timeline.title')}</h3>
      <ol className="desk-history">
        {entries.map((entry) => (
          <Entry application={application} entry={entry} key={entry.key} />
        ))}
      </ol>
    </section>
  );
}

function Entry({ entry, application }: { entry: Happening; application: Detail }) {
  const { t } = useTranslation(['case-file', 'desk']);
  const language = useLanguage();
  const { rejection } = application;
  const { event, at, by, place, email, amount, state } = entry;
  const words = t([`timeline.event.${event}`, `desk:detail.event.${event}`], {
    kind: email ?? '',
    amount: amount ? formatMoney(amount, language) : '',
    state: state ? t(`desk:detail.attemptState.${state}`) : '',
    defaultValue: event,
  });
  const moment = formatMoment(at, language, UTC, 'dated');
  return (
    <li>
      <p className="font-semibold text-ink">{place ? <a href={`#${place}`}>{words}</a> : words}</p>
      <p>{by ? t('timeline.who', { moment, name: by }) : moment}</p>
      {event === 'rejected' && rejection ? (
        <div className="whitespace-pre-line text-ink">
          {saysWhy(rejection) ? (
            <RejectionText rejection={rejection} writtenIn={application.emailLanguage} />
          ) : (
            t('timeline.noReason')
          )}
        </div>
      ) : null}
    </li>
  );
}
