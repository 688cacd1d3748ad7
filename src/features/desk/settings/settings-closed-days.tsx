import { randomUUID } from 'node:crypto';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { dateOf, UTC } from '~/base/dates/dates.ts';
import { FEAST_NOTICE_DAYS, feastsWithin } from '~/base/dates/holidays.ts';
import { Link } from '~/ui/page/link.tsx';
import {
  closedDaysForm,
  closedDaysLines,
  daysInWords,
  feastInWords,
  promisedInWords,
  standingAt,
} from './closed-days.server.ts';
import { countPromisedWithin } from './closed-days-store.server.ts';
import { DecisionForm } from './decision-form.tsx';
import { openSection } from './open-section.server.ts';
import { SettingsPage } from './settings-page.tsx';
import { handleDecisionSubmit } from './handle-decision-submit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { languageContext } from '~/platform/http/request.server.ts';
import { Notice } from '~/ui/notice.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import type { Route } from './+types/settings-closed-days.ts';

export const shouldRevalidate = () => true;

const PAGE = '/admin/settings/closed-days';

/**
 * Closures from today on, with the applications promised on them; `?remove=` asks to remove one, otherwise the form
 * adds one.
 */
export async function loader(args: Route.LoaderArgs) {
  await requireStaff(args, 'close_days');
  const language = args.context.get(languageContext);
  const { frame, settings, now, platform } = await openSection(
    args,
    'closed_days',
    closedDaysLines(language),
    { right: 'close_days' },
  );
  const today = dateOf(now, UTC);
  const ahead = standingAt(settings, now).filter(({ to }) => to >= today);
  const closures = await Promise.all(
    ahead.map(async (one) => ({
      id: one.id,
      days: daysInWords(one, language),
      isRunning: one.from <= today,
      promised: promisedInWords(await countPromisedWithin(platform.db, one), language),
    })),
  );
  const remove = new URL(args.request.url).searchParams.get('remove');
  const removed = closures.find(({ id }) => id === remove) ?? null;
  const feasts = feastsWithin(today, FEAST_NOTICE_DAYS).map((one) => feastInWords(one, language));
  return { frame, closures, feasts, removed, today, newId: randomUUID() };
}

export const action = (args: Route.ActionArgs) =>
  handleDecisionSubmit(args, (platform) =>
    closedDaysForm(platform, PAGE, args.context.get(languageContext)),
  );

export default function SettingsClosedDays({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('settings');
  const { frame, closures, feasts, removed, today, newId } = loaderData;
  return (
    <SettingsPage
      answer={actionData}
      frame={frame}
      lead={t('closed_days.lead')}
      title={t('closed_days.title')}
    >
      <p>{t('closed_days.kept')}</p>
      {feasts.map((feast) => (
        <Notice key={feast} title={feast} tone="amber">
          <p>{t('closed_days.checkFeast')}</p>
        </Notice>
      ))}
      <section>
        <h2>{t('closed_days.ahead')}</h2>
        {closures.length === 0 ? <p>{t('closed_days.none')}</p> : null}
        <ul className="grid gap-3">
          {closures.map(({ id, days, isRunning, promised }) => (
            <li key={id}>
              <strong>{days}</strong>
              {isRunning ? ` · ${t('closed_days.running')}` : null}
              <br />
              {promised}{' '}
              <Link className="inline-flex min-h-11 items-center" to={`${PAGE}?remove=${id}#form`}>
                {t('closed_days.remove', { days })}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      {removed ? (
        <DecisionForm
          answer={actionData}
          hidden={{ remove: removed.id }}
          isAtOnce
          key={removed.id}
          title={t('closed_days.remove', { days: removed.days })}
          version={frame.version}
        >
          {() => (
            <p>
              {t('closed_days.removeText')} <Link to={PAGE}>{t('closed_days.back')}</Link>
            </p>
          )}
        </DecisionForm>
      ) : (
        <DecisionForm
          answer={actionData}
          hidden={{ id: actionData?.typed.id ?? newId }}
          isAtOnce
          key="new"
          title={t('closed_days.add')}
          version={frame.version}
        >
          {({ value, errorAt }) =>
            (['first', 'last'] as const).map((field) => (
              <DateField
                calendar={{ min: today }}
                defaultValue={{
                  day: value(`${field}-day`),
                  month: value(`${field}-month`),
                  year: value(`${field}-year`),
                }}
                error={errorAt(field)}
                hint={t(`closed_days.${field}Hint`)}
                key={field}
                label={t(`closed_days.${field}`)}
                name={field}
              />
            ))
          }
        </DecisionForm>
      )}
    </SettingsPage>
  );
}
