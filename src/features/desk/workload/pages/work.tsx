import { formatDate, formatMoment, UTC } from '~/base/dates/dates.ts';
import { DayFilter } from '~/features/desk/day-filter/day-filter.tsx';
import { ListBusy } from '~/features/desk/frame/cursor-links.tsx';
import { DeskFailure } from '~/features/desk/frame/desk-failure.tsx';
import { DeskPage } from '~/features/desk/frame/desk-page.tsx';
import { FilterForm } from '~/features/desk/frame/filter-form.tsx';
import { hasOutbox } from '~/features/desk/outbox/outbox.server.ts';
import { formatCount } from '~/features/desk/frame/formats.ts';
import { ForecastSection } from '~/features/desk/workload/forecast-section.tsx';
import { NationalitySection } from '~/features/desk/workload/nationality-section.tsx';
import { PeopleSection } from '~/features/desk/workload/people-section.tsx';
import { LateSection, PromiseSection } from '~/features/desk/workload/promise-section.tsx';
import { readSpeed } from '~/features/desk/workload/sold-speed.ts';
import { MOST_DAYS, readDayPeriod } from '~/features/desk/day-filter/day-period.ts';
import { todayOf, workView } from '~/features/desk/workload/work.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { Route } from './+types/work.ts';

export const headers = () => PRIVATE_PAGE;

/** Promises kept, work of people, what falls due. It shows what colleagues did, so views are recorded. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'view_work');
  const platform = context.get(platformContext);
  const query = new URL(request.url).searchParams;
  const period = readDayPeriod(query, todayOf(platform.now()));
  const late = readSpeed(query.get('late'));
  const view = await workView(platform, period, { late, language: context.get(languageContext) });
  await audit(platform.db, {
    at: platform.now(),
    staffId: staff.id,
    action: 'work_viewed',
    subject: { kind: 'statistics', id: 'work' },
    detail: { from: period.first, to: period.last },
  });
  return {
    staff,
    outbox: hasOutbox(platform) && may(staff.role, 'view_outbox'),
    period,
    isNarrowed: query.has('from') || query.has('to'),
    isWhole: query.has('all'),
    late,
    view,
  };
}

export default function Work({
  loaderData: { staff, outbox, period, isNarrowed, isWhole, late, view },
}: Route.ComponentProps) {
  const { t } = useTranslation('work');
  const language = useLanguage();
  return (
    <DeskPage outbox={outbox} staff={staff}>
      <title>{`${t('title')} – Lale`}</title>
      <h1>{t('title')}</h1>
      <p className="mt-1 mb-4 text-ink-2">
        {t('lead', {
          first: formatDate(period.first, language),
          last: formatDate(period.last, language),
          moment: formatMoment(view.asOf, language, UTC, 'time'),
        })}
      </p>
      <FilterForm action="/admin/work" query={isNarrowed ? `${period.first} ${period.last}` : ''}>
        <DayFilter label={t('from')} name="from" read={period.first} />
        <DayFilter label={t('to')} name="to" read={period.last} />
      </FilterForm>
      <ListBusy />
      {period.isShortened ? (
        <Notice className="mt-3" tone="blue">
          {t('shortened', { days: formatCount(MOST_DAYS, language) })}
        </Notice>
      ) : null}
      <ForecastSection view={view} />
      <PromiseSection period={period} view={view} />
      <LateSection period={period} speed={late} view={view} />
      <PeopleSection view={view} />
      <NationalitySection isWhole={isWhole} period={period} view={view} />
    </DeskPage>
  );
}

export const ErrorBoundary = DeskFailure;
