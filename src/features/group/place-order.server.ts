import type { z } from 'zod';
import type { Language } from '~/base/languages.ts';
import { formatMoney, sameMoney, toDecimal, type Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { invalidCall } from '~/features/form/read-call.server.ts';
import type { OnSale } from '~/features/insurance/store/on-sale.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Problem } from '~/platform/http/problem.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { orderAnswer } from './api-shapes.ts';
import type { ChildrenPhotos } from './children-photos.server.ts';
import type { CheckedGroup } from './check-group.ts';
import { childrenInsurances, newGroup, storeGroup } from './submit-group.server.ts';

/** Newer settings came while the order was being placed: nothing of it is stored. */
export class SettingsChanged extends Error {}

/**
 * Stores the order with its photos.
 * @throws SettingsChanged
 */
export async function place(
  tx: Transaction,
  { sealer }: Pick<Platform, 'sealer'>,
  {
    checked: { problems, travellers },
    settings,
    sold,
    now,
    total,
    childrenPhotos,
    language,
    sessionHash,
  }: {
    checked: CheckedGroup;
    settings: Settings;
    sold: OnSale;
    now: Date;
    /** What the caller agrees to; null where the call names no amount. */
    total: Money | null;
    childrenPhotos: ChildrenPhotos;
    language: Language;
    sessionHash: Buffer;
  },
): Promise<Outcome<z.infer<typeof orderAnswer>, Problem>> {
  if (total === null || problems.length > 0) return refused(invalidCall(language, problems));

  const about = { language, sessionHash, now, settings, sold };
  const made = newGroup(sealer, travellers, about);
  if (!sameMoney(total, made.totalAmount)) {
    return refused({
      code: 'wrong_total',
      detail: textsIn(language)('visa:api.wrong_total', {
        amount: formatMoney(made.totalAmount, language),
      }),
      extra: { totalAmount: toDecimal(made.totalAmount) },
    });
  }
  if (!(await storeGroup(tx, made, settings))) throw new SettingsChanged();
  await childrenPhotos.insert(tx, childrenInsurances(made));
  const insurances = made.travellers.flatMap(({ insurance }) => insurance ?? []);
  return ok({
    orderNumber: made.order.number,
    applicationNumbers: made.travellers.map(({ applicationNumber }) => applicationNumber),
    insuranceNumbers: insurances.map(({ applicationNumber }) => applicationNumber),
    totalAmount: toDecimal(made.totalAmount),
    orderReference: made.order.number,
  });
}
