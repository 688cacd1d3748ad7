import { redirect, data, Form } from 'react-router';
import {
  DAY_MS,
  typedDate,
  toPlainDate,
  formatDate,
  formatMoment,
  UTC,
  addDays,
  type PlainDate,
} from '~/base/dates/dates.ts';
import { formatNumber } from '~/base/format-number.ts';
import {
  insertHold,
  liftHold,
  lockHoldPlacement,
  standingHolds,
} from '~/features/application/holds.server.ts';
import { MAX_PRIVACY_REASON_LENGTH, type CaseProblem } from './privacy-case.ts';
import { readCompletedAction, PrivacyFrame, useFields, typedTexts } from './privacy-frame.tsx';
import { audit } from '~/features/staff/audit.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { Button } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { TextArea, TextField } from '~/ui/fields/text-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Route } from './+types/holds.ts';
import { randomUUID } from 'node:crypto';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import { readNumber } from '~/features/application/number.ts';
import { applicationByNumber } from '~/features/application/store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** Legal holds: those that stand, the first to end before others, and a form for another one. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { platform, language, record } = await requireDesk({ request, context }, 'administer');
  const holds = await standingHolds(platform.db, platform.sealer, platform.now());
  // Their reasons are personal.
  await record('holds_viewed', ['hold', 'list'], { holds: holds.length });
  const names = await staffNames(
    platform.db,
    holds.map(({ placedBy }) => placedBy),
  );
  return {
    done: readCompletedAction(request),
    holds: holds.map(({ id, why, placedBy, placedAt, until, orderNumber, applicationNumber }) => ({
      id,
      why,
      number: formatNumber(applicationNumber ?? orderNumber),
      isWholeOrder: applicationNumber === null,
      // It ends with this day, at midnight.
      until: formatDate(toPlainDate(new Date(until.getTime() - DAY_MS), UTC), language),
      placed: {
        name: names.get(placedBy) ?? '',
        moment: formatMoment(placedAt, language, UTC, 'dated'),
      },
    })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context }, 'administer');
  const typed = typedTexts(await readForm({ request, context }));
  const text = (name: string) => typed[name] ?? '';
  const run = () => {
    switch (text('intent')) {
      case 'place':
        return placeHold(platform, staff, {
          number: text('number'),
          isWholeOrder: text('whole') === 'yes',
          until: typedDate(typed, 'until'),
          why: text('why'),
        });
      case 'lift':
        return liftLegalHold(platform, staff, text('hold'));
      default:
        return null;
    }
  };
  const outcome = await run();
  if (outcome?.ok) return redirect(`/admin/privacy/holds?done=${text('intent')}`);
  return data({ errors: [outcome?.error ?? ('not_found' as const)], typed }, { status: 422 });
}

/** Ten years: as long as the longest claim lapses. Whoever needs more places another one. */
const MAX_HOLD_DAYS = 3653;

/**
 * Places a legal hold on an application, or, where `isWholeOrder` or the number is an order's, on all applications of an
 * order, until the end of a day.
 */
async function placeHold(
  platform: Platform,
  staff: Staff,
  typed: { number: string; isWholeOrder: boolean; until: PlainDate | null; why: string },
): Promise<Outcome<true, CaseProblem>> {
  const placedAt = platform.now();
  const today = toPlainDate(placedAt, UTC);
  const read = readNumber(typed.number);
  if (!read.ok) return refused('number_invalid');
  const { until } = typed;
  if (!until || until < today || until > addDays(today, MAX_HOLD_DAYS))
    return refused('until_invalid');
  const why = typed.why.trim();
  if (why === '') return refused('why_required');
  if (why.length > MAX_PRIVACY_REASON_LENGTH) return refused('too_long');
  const id = randomUUID();
  return platform.db.transaction(async (tx) => {
    await lockHoldPlacement(tx);
    const application = read.kind === 'group' ? null : await applicationByNumber(tx, read.number);
    const order = await orderByNumber(tx, application?.orderNumber ?? read.number);
    if (!order) return refused('number_unknown');
    const applicationId = typed.isWholeOrder ? null : (application?.id ?? null);
    await insertHold(tx, platform.sealer, {
      id,
      orderNumber: order.number,
      applicationId,
      why,
      placedBy: staff.id,
      placedAt,
      until: new Date(`${addDays(until, 1)}T00:00:00Z`),
    });
    await audit(tx, {
      at: placedAt,
      staffId: staff.id,
      action: 'hold_placed',
      subject: { kind: 'hold', id },
      detail: { applicationId, orderId: order.id, until },
    });
    return ok(true);
  });
}

async function liftLegalHold(
  platform: Platform,
  staff: Staff,
  id: string,
): Promise<Outcome<true, CaseProblem>> {
  if (!isUuid(id)) return refused('not_found');
  const at = platform.now();
  return platform.db.transaction(async (tx) => {
    if (!(await liftHold(tx, id, { by: staff.id, at }))) return refused('not_found');
    await audit(tx, {
      at,
      staffId: staff.id,
      action: 'hold_lifted',
      subject: { kind: 'hold', id },
    });
    return ok(true);
  });
}

export default function Holds({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('privacy');
  const { done, holds } = loaderData;
  const { field, date, box } = useFields(actionData);
  return (
    <PrivacyFrame answer={actionData} done={done} lead={t('holds.lead')} title={t('holds.title')}>
      <h2>{t('holds.standing')}</h2>
      {holds.length === 0 ? <p>{t('holds.none')}</p> : null}
      <ul className="grid gap-4">
        {holds.map(({ id, why, number, isWholeOrder, until, placed }) => (
          <li className="grid justify-items-start gap-1 border-s-3 border-line-2 ps-3" key={id}>
            <strong className="mono" dir="ltr">
              {number}
            </strong>
            {isWholeOrder ? <span>{t('holds.whole')}</span> : null}
            <span>{t('holds.ends', { date: until })}</span>
            <span className="whitespace-pre-line" dir="auto">
              {why}
            </span>
            <span className="text-fine text-ink-2">{t('holds.placed', placed)}</span>
            <Form method="post">
              <input name="hold" type="hidden" value={id} />
              <Button name="intent" small value="lift" look="secondary">
                {t('holds.lift', { number })}
              </Button>
            </Form>
          </li>
        ))}
      </ul>
      <section>
        <h2>{t('holds.place')}</h2>
        <Form method="post">
          <TextField {...field('number')} autoComplete="off" label={t('field.number')} latin mono />
          <CheckBox {...box('whole')} label={t('holds.whole')} />
          <DateField {...date('until')} label={t('holds.until')} />
          <TextArea
            {...field('why')}
            label={t('holds.why')}
            maxLength={MAX_PRIVACY_REASON_LENGTH}
          />
          <Button name="intent" value="place">
            {t('holds.submit')}
          </Button>
        </Form>
      </section>
    </PrivacyFrame>
  );
}
