import type { Config } from '~/platform/config/config.server.ts';
import type { Database, Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import {
  invalidateSettings,
  lockSettings,
  insertChange,
  readSettings,
} from '~/features/settings/store.server.ts';
import { closeOrder } from '~/features/order/store.server.ts';
import { decidedTerms, TERMS_SUBJECT, firstPlans } from './plan-store.server.ts';
import type { PublishedTerms } from '../rules/terms.ts';
import type { SeedCounts } from '~/features/catalog/seed.server.ts';
import { seedPrices } from '~/features/settings/price-values.server.ts';
import { plans, type Plan } from '../rules/plans.ts';
import { count, sql, and, eq, isNull } from 'drizzle-orm';
import { insurancePlan, insuranceApplication, insuranceTerms } from './tables.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { order } from '~/features/order/tables.server.ts';

/**
 * The terms in test mode until an administrator has entered an insurer's: complete, but of no real insurer. Live mode
 * never sells on them.
 */
export const sampleTerms: PublishedTerms = {
  isSample: true,
  insurer: 'Sample Insurer',
  address: '1 Sample Street, Sample City',
  licence: 'Sample licence 0000',
  assistancePhone: '+00 000 000 00 00',
  complaintContact: 'complaints@insurer.example',
  covers: [
    {
      code: 'medical',
      title: {
        en: 'Emergency medical treatment',
        tr: 'Acil tıbbi tedavi',
        fr: 'Soins médicaux d’urgence',
        de: 'Medizinische Notfallbehandlung',
        es: 'Tratamiento médico de urgencia',
        ar: 'العلاج الطبي الطارئ',
      },
      limit: sampleSum('30,000', '30.000', '30 000'),
    },
    {
      code: 'evacuation',
      title: {
        en: 'Medical evacuation and repatriation',
        tr: 'Tıbbi tahliye ve ikamet ülkesine nakil',
        fr: 'Évacuation médicale et rapatriement',
        de: 'Krankentransport und Rückholung',
        es: 'Evacuación médica y repatriación',
        ar: 'الإخلاء الطبي والإعادة إلى الوطن',
      },
      limit: sampleSum('20,000', '20.000', '20 000'),
    },
    {
      code: 'baggage',
      title: {
        en: 'Lost or delayed baggage',
        tr: 'Kaybolan veya geciken bagaj',
        fr: 'Bagages perdus ou retardés',
        de: 'Verlorenes oder verspätetes Gepäck',
        es: 'Equipaje perdido o retrasado',
        ar: 'فقدان الأمتعة أو تأخرها',
      },
      limit: sampleSum('1,000', '1.000', '1 000'),
    },
  ],
  wording: {
    en: 'These are sample terms of a sample insurer, for trying the service out. They cover nothing.\n\nIn live mode the insurer’s own terms stand here, and insurance is not sold before they do.',
    tr: 'Bunlar, hizmeti denemek için örnek bir sigortacının örnek koşullarıdır. Hiçbir teminat sağlamazlar.\n\nCanlı modda burada sigortacının kendi koşulları yer alır; onlar girilmeden sigorta satılmaz.',
    fr: 'Ce sont les conditions d’exemple d’un assureur d’exemple, pour essayer le service. Elles ne couvrent rien.\n\nEn mode réel, les conditions de l’assureur figurent ici ; aucune assurance n’est vendue avant.',
    de: 'Dies sind Musterbedingungen eines Musterversicherers zum Ausprobieren des Dienstes. Sie decken nichts ab.\n\nIm Live-Modus stehen hier die Bedingungen des Versicherers; vorher wird keine Versicherung verkauft.',
    es: 'Estas son condiciones de ejemplo de una aseguradora de ejemplo, para probar el servicio. No cubren nada.\n\nEn modo real figuran aquí las condiciones de la aseguradora; antes no se vende ningún seguro.',
    ar: 'هذه شروط نموذجية لشركة تأمين نموذجية لتجربة الخدمة، ولا تغطي شيئًا.\n\nفي الوضع الفعلي تظهر هنا شروط شركة التأمين نفسها، ولا يُباع التأمين قبل إدخالها.',
  },
};

/** A sum with its currency in every language, digits grouped as the language does. */
function sampleSum(comma: string, dot: string, space: string) {
  return {
    en: `USD ${comma} (sample)`,
    tr: `${dot} USD (örnek)`,
    fr: `${space} USD (exemple)`,
    de: `${dot} USD (Muster)`,
    es: `${dot} USD (ejemplo)`,
    ar: `\u2066USD ${comma}\u2069 (نموذج)`,
  };
}

/** A date before anything was sold. */
const FROM_THE_BEGINNING = new Date(0);

/** Puts the sample terms in force where no decision about terms exists. */
async function seedTerms(tx: Transaction, now: Date): Promise<void> {
  const isThere = async () =>
    (await readSettings(tx)).changes.some(({ section }) => section === 'insurance_terms');
  if (await isThere()) return;
  await lockSettings(tx);
  if (await isThere()) return;
  await insertChange(tx, {
    section: 'insurance_terms',
    values: { [TERMS_SUBJECT]: sampleTerms },
    validFrom: FROM_THE_BEGINNING,
    reason: '',
    staffId: null,
    createdAt: now,
  });
}

/**
 * In live mode takes sample terms out of force, at every start: no insurance is sold until an administrator has entered
 * an insurer's terms, and unpaid orders with an insurance on the samples are closed, an e-visa in them included. Does
 * nothing in test mode.
 */
export async function endSampleTerms(db: Database, mode: Config['mode'], now: Date): Promise<void> {
  if (mode !== 'live') return;
  await db.transaction(async (tx) => {
    // Locked first, so that two processes that start at once close the orders one after the other.
    await lockSettings(tx);
    for (const number of await unpaidOnSampleTerms(tx)) await closeOrder(tx, number, now);
    if (!decidedTerms(await readSettings(tx), now)?.terms.isSample) return;
    await insertChange(tx, {
      section: 'insurance_terms',
      values: { [TERMS_SUBJECT]: null },
      validFrom: now,
      reason: '',
      staffId: null,
      createdAt: now,
    });
  });
  invalidateSettings(db);
}

/**
 * Fills the empty table of plans, puts sample terms in force where none were decided, and stores the plans' first
 * prices. A table with any row is left alone: from then on the desk's settings count.
 */
export async function seedInsurance(tx: Transaction, now: Date): Promise<SeedCounts> {
  const seeded = await seedPlans(tx, now);
  const first = (await firstPlans(tx)).map(({ id, price }) => [id, price] as const);
  await seedTerms(tx, now);
  await seedPrices(tx, 'plan_prices', Object.fromEntries(first), now);
  return seeded;
}

async function seedPlans(tx: Transaction, now: Date): Promise<SeedCounts> {
  const there = await countPlans(tx);
  if (there > 0) return { counts: { plans: there }, inserted: 0 };
  await lockPlans(tx);
  const meanwhile = await countPlans(tx);
  if (meanwhile > 0) return { counts: { plans: meanwhile }, inserted: 0 };
  await insertPlans(tx, plans, now);
  return { counts: { plans: plans.length }, inserted: plans.length };
}

async function countPlans(db: Queryable): Promise<number> {
  const [row] = await db.select({ plans: count() }).from(insurancePlan);
  return row?.plans ?? 0;
}

/** Locks the table against writing, so that two processes that start at once seed it only once. */
async function lockPlans(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${insurancePlan} in share row exclusive mode`);
}

async function insertPlans(tx: Transaction, plans: readonly Plan[], now: Date): Promise<void> {
  await tx.insert(insurancePlan).values(
    plans.map(({ id, name, days, price }) => ({
      id,
      name,
      days,
      priceMinor: price.minor,
      currency: price.currency,
      updatedAt: now,
    })),
  );
}

/** Numbers of the open, unpaid orders that hold an insurance on sample terms. */
async function unpaidOnSampleTerms(db: Queryable): Promise<string[]> {
  const rows = await db
    .selectDistinct({ number: order.number })
    .from(order)
    .innerJoin(application, eq(application.orderNumber, order.number))
    .innerJoin(insuranceApplication, eq(insuranceApplication.applicationId, application.id))
    .innerJoin(insuranceTerms, eq(insuranceTerms.version, insuranceApplication.termsVersion))
    .where(and(isNull(order.paidAt), isNull(order.closedAt), insuranceTerms.isSample));
  return rows.map(({ number }) => number);
}
