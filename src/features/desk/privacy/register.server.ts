import { getTableName } from 'drizzle-orm';
import { retention } from '~/base/retention-periods.ts';
import type {
  DataSubject,
  Erasure,
  PersonalTable,
} from '~/platform/postgres/personal-table.server.ts';
import { allTables, personalTables } from './personal-tables.server.ts';

/** What the register says of the people whose data it is (GDPR, art. 30(1); By-law on the registry, VERBİS, art. 9). */
const subjects: Record<
  DataSubject,
  { title: string; people: string; basis: string; given: string }
> = {
  traveller: {
    title: 'Travellers',
    people: 'people for whom an e-visa or an insurance was applied for, and the parents they name',
    basis:
      'contract (GDPR art. 6(1)(b); Law No. 6698 art. 5(2)(c)); legal obligation for insurance (art. 6(1)(c); art. 5(2)(ç))',
    given:
      'the Turkish authorities that issue the e-visa; the insurer; companies that run servers and email for the operator; courts and authorities where the law requires it',
  },
  payer: {
    title: 'Payers',
    people: 'people who pay an order, for themselves or for others',
    basis:
      'contract (GDPR art. 6(1)(b); Law No. 6698 art. 5(2)(c)); accounts and tax (art. 6(1)(c); art. 5(2)(ç))',
    given: 'the payment partner; tax authorities where the law requires it',
  },
  draft: {
    title: 'People who began an application',
    people: 'people who filled in a form and have not submitted it',
    basis: 'steps before a contract (GDPR art. 6(1)(b); Law No. 6698 art. 5(2)(c))',
    given: 'nobody',
  },
  request: {
    title: 'People who asked about their data',
    people: 'people who asked for access, correction or erasure',
    basis: 'legal obligation (GDPR art. 6(1)(c); Law No. 6698 art. 5(2)(ç))',
    given: 'data protection authorities where they ask for proof',
  },
  staff: {
    title: 'Staff',
    people: 'people with an account at the desk, or invited to one',
    basis: 'legitimate interest in security (GDPR art. 6(1)(f); Law No. 6698 art. 5(2)(f))',
    given: 'nobody',
  },
};

const erasures: Record<Erasure, string> = {
  deleted: 'deleted',
  emptied: 'emptied of what is personal',
  kept: 'kept by law',
  none: '',
};

const period = (kind: keyof typeof retention): string => {
  const one = retention[kind];
  const [count, unit] =
    'years' in one ? ([one.years, 'year'] as const) : ([one.days, 'day'] as const);
  return `${count} ${unit}${count === 1 ? '' : 's'} after ${one.since}`;
};

/** The names of the columns in the database, those that are sealed in bold. */
const dataOf = ({ columns }: PersonalTable): string =>
  columns
    .filter((one) => one.class !== 'internal')
    .map(({ column, class: columnClass }) =>
      columnClass === 'sealed' || columnClass === 'withheld' ? `**${column.name}**` : column.name,
    )
    .join(', ') || 'ids and hashes';

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function section(about: DataSubject): string[] {
  const { title, people, basis, given } = subjects[about];
  const tables = personalTables.filter((one) => one.about === about);
  return [
    `## ${title}`,
    '',
    `- Whose data: ${people}`,
    `- Legal basis: ${basis}`,
    `- Given to: ${given}`,
    '',
    row(['table', 'what for', 'data', 'kept', 'on erasure']),
    row(['---', '---', '---', '---', '---']),
    ...tables.map((one) =>
      row([
        one.name,
        one.purpose,
        dataOf(one),
        one.kept.map(period).join('; ') || 'as long as the account or row it belongs to',
        erasures[one.erasure],
      ]),
    ),
    '',
  ];
}

/**
 * The register of processing (GDPR, art. 30; for the registry of controllers, VERBİS, in Türkiye), as Markdown, from
 * what the tables say of themselves and the table of periods.
 */
export function processingRegister(): string {
  const personal = new Set(personalTables.map(({ table }) => table));
  const nobody = allTables.filter((table) => !personal.has(table)).map((one) => getTableName(one));
  const laws = Object.values(retention).flatMap((one) =>
    'law' in one ? [`- ${one.deletes}: ${one.law}`] : [],
  );
  return [
    '# Register of processing',
    '',
    'The controller is the operator, with name, address and contact as in the desk’s settings. Periods are the least; administrators may set longer ones for applications. Columns in bold are sealed (AES-256-GCM); files lie sealed in the file store. An insurance whose certificate was issued is kept on erasure, too. Jobs of the queue (`graphile_worker`) hold ids and, sealed, the address that a link is sent to; they end within four days, and on erasure. Who of the staff did what is kept with each row, by the id of their account.',
    '',
    ...(Object.keys(subjects) as DataSubject[]).flatMap(section),
    '## Laws that say how long',
    '',
    ...laws,
    '',
    '## Tables without personal data',
    '',
    nobody.join(', '),
    '',
  ].join('\n');
}
