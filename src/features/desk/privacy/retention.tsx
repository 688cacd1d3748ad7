import { data, Form } from 'react-router';
import { DAY_MS, addDays, toPlainDate, formatDate, formatMoment, UTC } from '~/base/dates/dates.ts';
import { EntriesTable } from '../frame/lists.tsx';
import { latestDeletions, countByGroup, type GroupCount } from './deletions.server.ts';
import { GroupCounts, PrivacyFrame } from './privacy-frame.tsx';
import { formatCount } from '../frame/formats.ts';
import { formatNumber } from '~/base/format-number.ts';
import { listDue, dryRunRetention } from './retention-jobs.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { Button } from '~/ui/button.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Route } from './+types/retention.ts';

const MAX_RECORDS_SHOWN = 100;
/** Days of the second count. */
const AHEAD_DAYS = 30;
/** Lists that are short enough to stand open. */
const MAX_OPEN_LIST = 20;

/** What the jobs that delete have deleted; counting what they would delete is a form, as it takes locks. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { platform, language } = await requireDesk({ request, context }, 'administer');
  const records = await latestDeletions(platform.db, MAX_RECORDS_SHOWN);
  return {
    ahead: formatDate(addDays(toPlainDate(platform.now(), UTC), AHEAD_DAYS), language),
    records: records.map(({ id, at, cause, deleted, files }) => ({
      id,
      cause,
      moment: formatMoment(at, language, UTC, 'dated'),
      counts: countByGroup(deleted),
      files,
    })),
  };
}

/** Numbers that the page lists; of others it says how many there are. */
const MAX_NUMBERS_SHOWN = 5000;

/** `numbers`: of the applications that go; `held`: of those that only a legal hold keeps. */
type Counted = { counts: GroupCount[]; files: number; numbers: string[]; held: string[] };

async function countAt(platform: Platform, at: Date): Promise<Counted> {
  const sums: Record<string, number> = {};
  let files = 0;
  for (const { counts } of await dryRunRetention(platform, at)) {
    for (const [table, count] of Object.entries(counts.deleted)) {
      sums[table] = (sums[table] ?? 0) + count;
    }
    files += counts.files;
  }
  const due = await listDue({ db: platform.db, now: () => at });
  const numbersOf = (isHeld: boolean) =>
    due.flatMap((one) => (one.isHeld === isHeld ? [formatNumber(one.number)] : []));
  return { counts: countByGroup(sums), files, numbers: numbersOf(false), held: numbersOf(true) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { platform, record } = await requireDesk({ request, context }, 'administer');
  const now = platform.now();
  const today = await countAt(platform, now);
  const ahead = await countAt(platform, new Date(now.getTime() + AHEAD_DAYS * DAY_MS));
  await record('retention_counted', ['request', 'retention']);
  return data({ today, ahead });
}

export default function Retention({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('privacy');
  const { ahead, records } = loaderData;
  return (
    <PrivacyFrame
      answer={undefined}
      done={null}
      lead={t('retention.lead')}
      title={t('retention.title')}
    >
      <Form method="post">
        <Button>{t('retention.submit')}</Button>
      </Form>
      {actionData ? (
        <div className="grid gap-3" role="status">
          <h2>{t('retention.today')}</h2>
          <Due counted={actionData.today} />
          <h2>{t('retention.ahead', { date: ahead })}</h2>
          <Due counted={actionData.ahead} />
        </div>
      ) : null}
      <h2>{t('retention.records')}</h2>
      {records.length === 0 ? (
        <p>{t('retention.noRecords')}</p>
      ) : (
        <EntriesTable
          caption={t('retention.records')}
          columns={[
            { head: t('retention.when'), isRowName: true, render: ({ moment }) => moment },
            {
              head: t('retention.cause'),
              isLabelled: true,
              render: ({ cause }) => (
                <code className="text-fine" dir="ltr">
                  {cause}
                </code>
              ),
            },
            {
              head: t('retention.counts'),
              isLabelled: true,
              render: ({ counts, files }) => <GroupCounts counts={counts} files={files} />,
            },
          ]}
          entries={records}
          rowOf={({ id }) => ({ key: id })}
        />
      )}
    </PrivacyFrame>
  );
}

function Due({ counted: { counts, files, numbers, held } }: { counted: Counted }) {
  const { t } = useTranslation('privacy');
  return (
    <>
      {counts.length === 0 && files === 0 ? (
        <p>{t('retention.nothing')}</p>
      ) : (
        <GroupCounts counts={counts} files={files} />
      )}
      <Numbers numbers={numbers} title={t('retention.numbers')} />
      <Numbers numbers={held} title={t('retention.held')} />
    </>
  );
}

function Numbers({ title, numbers }: { title: string; numbers: readonly string[] }) {
  const { t, language } = useTranslation('privacy');
  if (numbers.length === 0) return null;
  const more = numbers.length - MAX_NUMBERS_SHOWN;
  return (
    <details className="desk-more" open={numbers.length <= MAX_OPEN_LIST}>
      <summary>
        {t('count', { group: title, count: formatCount(numbers.length, language) })}
      </summary>
      <ul className="grid gap-1">
        {numbers.slice(0, MAX_NUMBERS_SHOWN).map((number) => (
          <li className="mono" key={number}>
            <bdi dir="ltr">{number}</bdi>
          </li>
        ))}
        {more > 0 ? <li>{t('retention.more', { count: formatCount(more, language) })}</li> : null}
      </ul>
    </details>
  );
}
