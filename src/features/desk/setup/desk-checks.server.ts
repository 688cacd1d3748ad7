import type { PublishedTerms } from '~/features/insurance/rules/terms.ts';
import { publishedTermsIn } from '~/features/insurance/store/terms-store.server.ts';
import { changeAt } from '~/features/settings/change.ts';
import { operatorAt } from '~/features/settings/operator.server.ts';
import { operatorMistakes } from '~/features/settings/operator.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { hasAccounts } from '~/features/staff/store.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import { hasSamples } from '~/platform/config/sample-operator.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { checked, command, mistakesFound, page, variable, type Check } from './setup-check.ts';
import { countStaff } from './setup-store.server.ts';

type CheckContext = { db: Database; now: () => Date };

/** Whether an insurer's terms are in force. A service that sells e-visas alone needs none, so their absence is no obstacle. */
export async function insuranceCheck({ db, now }: CheckContext): Promise<Check> {
  const mend = page('/admin/settings/insurance');
  const change = changeAt(await readSettings(db, 'insurance_terms'), 'insurance_terms', now());
  const terms = change && publishedTermsIn(change.values);
  if (terms?.isSample) return checked('insurance', 'missing', { code: 'insuranceSample' }, mend);
  if (terms) {
    const values = { insurer: terms.insurer };
    return coversShortVisas(terms)
      ? checked('insurance', 'ok', { code: 'insuranceGood', values })
      : checked('insurance', 'unknown', { code: 'insuranceThin', values }, mend);
  }
  // The service itself takes samples out of force; only somebody's decision says that none is to be sold.
  return change?.staffId
    ? checked('insurance', 'ok', { code: 'insuranceEnded' })
    : checked('insurance', 'unknown', { code: 'insuranceNone' }, mend);
}

/** What Turkish embassies ask of insurance for short visas (their pages, 2026), in the words of English terms. */
const ASKED_COVERS = [
  /treatment|medical (expenses|costs|care)/i,
  /transfer|transport|evacuation/i,
  /return/i,
  /repatriation/i,
];
const ASKED_EUROS = 30_000;

/** Whether terms name the four covers that embassies ask for, and a sum in euros that is high enough. */
function coversShortVisas({ covers }: PublishedTerms): boolean {
  const titles = covers.map(({ title }) => title?.en ?? '').join('\n');
  const sums = covers.map(({ limit }) => eurosIn(limit?.en ?? ''));
  return (
    ASKED_COVERS.every((cover) => cover.test(titles)) && sums.some((sum) => sum >= ASKED_EUROS)
  );
}

/** The sum in euros that an English text names ("EUR 30,000"); 0 for none. */
function eurosIn(text: string): number {
  const [digits = '0'] = /EUR|€/.test(text) ? (/\d[\d.,]*/.exec(text) ?? []) : [];
  return Number(digits.replaceAll(/[.,](?=\d{3})/g, ''));
}

/** Whether travellers read who runs the service, as the law requires. */
export async function operatorCheck(
  config: Pick<Config, 'operator'>,
  { db, now }: CheckContext,
): Promise<Check> {
  const mend = page('/admin/settings/operator');
  const operator = operatorAt(config, await readSettings(db, 'operator'), now());
  if (hasSamples(operator)) {
    return checked('operator', 'missing', { code: 'operatorSample' }, mend);
  }
  const mistakes = mistakesFound(operatorMistakes(operator));
  return mistakes.length > 0
    ? checked('operator', 'missing', mistakes, mend)
    : checked('operator', 'ok', { code: 'operatorGood', values: { name: operator.legalName } });
}

/**
 * Whether there is an administrator, and whether all who may move money or change settings have a second factor: their
 * own, or that of an identity provider which the operator trusts.
 */
export async function factorsCheck(
  { db }: Pick<CheckContext, 'db'>,
  config?: Pick<Config, 'adminEmail' | 'passwordAccounts' | 'singleSignOn'>,
): Promise<Check> {
  const { amr = [], acr = [] } = config?.singleSignOn?.secondFactor ?? {};
  const trusted = amr.length + acr.length > 0 ? config?.passwordAccounts : undefined;
  const { all, administrators, without } = await countStaff(db, trusted ?? null);
  if (administrators === 0) {
    if (config?.adminEmail && !(await hasAccounts(db))) {
      return checked('factors', 'missing', { code: 'administratorComes' }, command('npm start'));
    }
    const mend = variable('ADMIN_EMAIL, ADMIN_PASSWORD');
    return checked('factors', 'missing', { code: 'administratorsNone' }, mend);
  }
  return without === 0
    ? checked('factors', 'ok', { code: 'factorsGood', values: { all } })
    : checked(
        'factors',
        'missing',
        { code: 'factorsMissing', values: { all, without } },
        page('/admin/accounts'),
      );
}
