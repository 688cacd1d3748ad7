import { useTranslation } from '~/ui/texts/texts.tsx';
import { dateOf, formatDate, formatMoment, UTC } from '~/base/dates/dates.ts';
import { ListBusy } from '../frame/lists.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { Actions, DeskSection, Pill, Pills } from '../frame/panel.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import {
  ApplicationsChart,
  NationalitiesChart,
  RevenueChart,
  ShareChart,
  TimeChart,
} from './statistics-charts.tsx';
import { lastDayOf, periodQuery, readPeriod, ranges, stepsOf, type Period } from './period.ts';
import { statisticsView } from './statistics.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { ButtonAnchor } from '~/ui/button.tsx';
import type { Route } from './+types/statistics.ts';
import { SOON_HOURS } from '../frame/formats.ts';

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
  const mayExport = may(staff.role, 'export_applications');
  return { mayExport, period, view };
}

export default function Statistics({ loaderData }: Route.ComponentProps) {
  const { mayExport, period, view } = loaderData;
  const { t } = useTranslation('statistics');
  const language = useLanguage();
  const [first = period.end] = period.starts;
  const last = lastDayOf(period, period.starts.length - 1);
  const isEmpty =
    view.submitted.every(({ visa, insurance }) => visa + insurance === 0) &&
    view.allDecisions.decided === 0 &&
    (view.revenue ?? []).every(({ paid }) => paid.minor === 0);
  return (
    <DeskPage>
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
          {mayExport ? (
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

/** Explains the four cards of the desk, counted in `statistics.server.ts`. */
function CardDefinitions() {
  const { t } = useTranslation('statistics');
  return (
    <DeskSection id="cards" title={t('cards.title')}>
      <dl className="grid grid-cols-1 gap-x-10 gap-y-3 wide:grid-cols-2">
        {(
          [
            'totalApplications',
            'totalInsuranceApplications',
            'totalRevenue',
            'pendingApplications',
          ] as const
        ).map((card) => (
          <div key={card}>
            <dt className="font-semibold">{t(`desk:figures.${card}`)}</dt>
            <dd className="max-w-[620px] text-pretty text-ink-2">
              {t(`cards.${card}`, { hours: SOON_HOURS })}
            </dd>
          </div>
        ))}
      </dl>
    </DeskSection>
  );
}

/** Links that choose range and step. */
function PeriodChoice({ period }: { period: Period }) {
  const { t } = useTranslation('statistics');
  const steps = stepsOf[period.range];
  return (
    <div className="mt-4 mb-2 flex flex-wrap gap-x-8 gap-y-2 print:hidden">
      <Pills className="*:min-h-11" label={t('range.label')}>
        {ranges.map((range) => (
          <Pill
            aria-current={range === period.range ? 'page' : undefined}
            key={range}
            preventScrollReset
            to={periodQuery(range, stepsOf[range][0])}
          >
            {t(`range.${range}`)}
          </Pill>
        ))}
      </Pills>
      {steps.length === 1 ? null : (
        <Pills className="*:min-h-11" label={t('step.label')}>
          {steps.map((step) => (
            <Pill
              aria-current={step === period.step ? 'page' : undefined}
              key={step}
              preventScrollReset
              to={periodQuery(period.range, step)}
            >
              {t(`step.${step}`)}
            </Pill>
          ))}
        </Pills>
      )}
    </div>
  );
}
