import { useTranslation } from '~/ui/texts/texts.tsx';
import { dateOf, formatDate, formatMoment, UTC } from '~/base/dates/dates.ts';
import { DeskFailure } from '~/features/desk/frame/desk-failure.tsx';
import { ListBusy } from '~/features/desk/frame/cursor-links.tsx';
import { DeskPage } from '~/features/desk/frame/desk-page.tsx';
import { Actions, DeskSection } from '~/features/desk/frame/desk-section.tsx';
import { hasOutbox } from '~/features/desk/outbox/outbox.server.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { CardDefinitions } from '~/features/desk/statistics/card-definitions.tsx';
import { ShareChart, TimeChart } from '~/features/desk/statistics/decision-charts.tsx';
import { lastDayOf, periodQuery, readPeriod } from '~/features/desk/statistics/period.ts';
import { PeriodChoice } from '~/features/desk/statistics/period-choice.tsx';
import { RevenueChart } from '~/features/desk/statistics/revenue-chart.tsx';
import {
  ApplicationsChart,
  NationalitiesChart,
} from '~/features/desk/statistics/submitted-charts.tsx';
import { statisticsView } from '~/features/desk/statistics/view.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { ButtonAnchor } from '~/ui/button.tsx';
import type { Route } from './+types/statistics.ts';

export const headers = () => PRIVATE_PAGE;

/** Charts over time. No personal data, so views are not recorded; downloads of files are. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'view_statistics');
  const platform = context.get(platformContext);
  const today = dateOf(platform.now(), UTC);
  const period = readPeriod(new URL(request.url).searchParams, today);
  const view = await statisticsView(platform, period, {
    language: context.get(languageContext),
    withRevenue: may(staff.role, 'view_revenue'),
  });
  const outbox = hasOutbox(platform) && may(staff.role, 'view_outbox');
  return { staff, outbox, period, view };
}

export default function Statistics({ loaderData }: Route.ComponentProps) {
  const { staff, outbox, period, view } = loaderData;
  const { t } = useTranslation('statistics');
  const language = useLanguage();
  const [first = period.end] = period.starts;
  const last = lastDayOf(period, period.starts.length - 1);
  const isEmpty =
    view.submitted.every(({ visa, insurance }) => visa + insurance === 0) &&
    view.allDecisions.decided === 0 &&
    (view.revenue ?? []).every(({ paid }) => paid.minor === 0);
  return (
    <DeskPage outbox={outbox} staff={staff}>
      <title>{`${t('title')} – Lale`}</title>
      <h1>{t('title')}</h1>
      <p className="mt-1 text-ink-2">
        {t('lead', {
          first: formatDate(first, language),
          last: formatDate(last, language),
          moment: formatMoment(view.asOf, language, UTC, 'time'),
        })}
      </p>
      <PeriodChoice period={period} />
      <ListBusy />
      {isEmpty ? (
        <p className="py-10 text-ink-2">{t('empty')}</p>
      ) : (
        <>
          <div className="chart-cards mt-3 grid grid-cols-1 gap-5 wide:grid-cols-2">
            <ApplicationsChart period={period} view={view} />
            {view.revenue && view.plans.revenue ? (
              <RevenueChart period={period} plan={view.plans.revenue} revenue={view.revenue} />
            ) : null}
            <TimeChart period={period} view={view} />
            <ShareChart chart="promise" period={period} view={view} />
            <ShareChart chart="approval" period={period} view={view} />
            <NationalitiesChart period={period} view={view} />
          </div>
          {may(staff.role, 'export_applications') ? (
            <DeskSection className="print:hidden" id="export" title={t('export.title')}>
              <p className="max-w-[620px] text-pretty text-ink-2">{t('export.text')}</p>
              <Actions>
                <ButtonAnchor
                  href={`/admin/statistics/applications/csv${periodQuery(period.range, period.step)}`}
                  icon="download"
                  look="secondary"
                >
                  {t('export.button')}
                </ButtonAnchor>
              </Actions>
            </DeskSection>
          ) : null}
        </>
      )}
      <CardDefinitions />
    </DeskPage>
  );
}

export const ErrorBoundary = DeskFailure;
