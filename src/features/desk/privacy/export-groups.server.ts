import { dateOf, formatDate, UTC } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { formatMoney } from '~/base/money.ts';
import { copyGroups, type CopyRow } from '~/features/copy/copy-groups.server.ts';
import { formatNumber } from '~/base/format-number.ts';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import type { Chosen } from '~/features/desk/personal-data/chosen.ts';
import type { PersonData } from '~/features/desk/personal-data/read-person-store.server.ts';
import { numberOf, receiptsOfOrder } from '~/features/order/receipt/store.server.ts';
import { orderById, totalOf } from '~/features/order/store.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { ExportGroup } from './export-document.server.tsx';

/** The main facts of an export in the person's language, in the words of the site; every record follows them. */
export async function exportGroups(
  platform: Platform,
  own: Chosen,
  data: PersonData,
  { language, fileNames }: { language: Language; fileNames: readonly string[] },
): Promise<ExportGroup[]> {
  const t = textsIn(language, 'receipt');
  const groups: ExportGroup[] = [];
  for (const id of own.applicationIds) {
    const application = await applicationById(platform.db, id);
    if (application) groups.push(...(await applicationGroups(platform, application, language)));
  }
  for (const id of own.orderIds) groups.push(...(await orderGroups(platform, id, language)));
  groups.push(...draftGroups(data, t('data.drafts')));
  if (fileNames.length > 0) {
    groups.push({
      title: t('data.files'),
      rows: fileNames.map((name, at) => ({ term: String(at + 1), value: name, latin: true })),
    });
  }
  return groups.filter(({ rows }) => rows.length > 0);
}

const row = (term: string, value: string | null, latin = false): CopyRow[] =>
  value === null || value === '' ? [] : [{ term, value, latin }];

async function applicationGroups(
  platform: Platform,
  application: Application,
  language: Language,
): Promise<ExportGroup[]> {
  const { kind, number, status, createdAt, paidAt, decidedAt, rejectionReason } = application;
  const t = textsIn(language, 'receipt');
  const day = (at: Date | null) => at && t('day', { date: formatDate(dateOf(at, UTC), language) });
  const answers = await copyGroups(platform, application, language);
  return [
    {
      title: `${t(`copy.${kind}`)} ${formatNumber(number)}`,
      rows: [
        ...row(t('data.status'), textsIn(language, 'application')(`status.${status}`)),
        ...row(t('copy.appliedOn'), day(createdAt)),
        ...row(t('data.paidOn'), day(paidAt)),
        ...row(t('data.decidedOn'), day(decidedAt)),
        ...row(t('data.reason'), rejectionReason),
      ],
    },
    ...(answers ?? []),
  ];
}

async function orderGroups(
  { db }: Platform,
  id: string,
  language: Language,
): Promise<ExportGroup[]> {
  const found = await orderById(db, id);
  if (!found) return [];
  const t = textsIn(language, 'receipt');
  const receipts = await receiptsOfOrder(db, id);
  const { number, customerName, customerEmail, paidAt } = found;
  return [
    {
      title: t('data.order', { number: formatNumber(number) }),
      rows: [
        ...row(t('data.payer'), customerName, true),
        ...row(t('data.email'), customerEmail, true),
        ...row(t('data.total'), formatMoney(totalOf(found), language)),
        ...row(
          t('data.paidOn'),
          paidAt && t('day', { date: formatDate(dateOf(paidAt, UTC), language) }),
        ),
        ...receipts.flatMap((one) =>
          row(numberOf(one), t('day', { date: formatDate(dateOf(one.issuedAt, UTC), language) })),
        ),
      ],
    },
  ];
}

/** Answers of drafts stand under the names that the form's controls have. */
function draftGroups({ tables }: PersonData, title: string): ExportGroup[] {
  const drafts = tables.filter(({ table }) => /^(visa|insurance)_draft$/.test(table));
  return drafts.flatMap(({ rows }) =>
    rows.map(({ answers }) => ({
      title,
      rows: typedIn(answers).flatMap(([name, value]) => row(name, value, true)),
    })),
  );
}

function typedIn(answers: unknown): [string, string][] {
  if (typeof answers !== 'object' || answers === null || !('typed' in answers)) return [];
  const { typed } = answers;
  if (typeof typed !== 'object' || typed === null) return [];
  return Object.entries(typed).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' ? [[name, value] satisfies [string, string]] : [],
  );
}
