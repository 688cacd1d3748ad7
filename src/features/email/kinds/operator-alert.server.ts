import { z } from 'zod';
import { DAY_MS, toPlainDate, UTC } from '~/base/dates/dates.ts';
import { defaultLanguage } from '~/base/languages.ts';
import { countWaiting } from '~/features/application/store.server.ts';
import { listOutages } from '~/features/payment/providers/outage.server.ts';
import { countOpenAlerts } from '~/features/payment/settlement/store.server.ts';
import { accountById, activeAccounts } from '~/features/staff/store.server.ts';
import { lastBackup, MAX_BACKUP_AGE_MS } from '~/platform/backup/backup-store.server.ts';
import { countJobs, enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { replacePrivacyText } from '../layout/content.server.ts';
import { countFailedEmails, isEmailStored } from '../ledger/store.server.ts';
import type { JobEmailKind } from '../ledger/tables.server.ts';
import type { FoundByJob, JobKind } from './kind.server.ts';

/** What is shorter than this passes by itself: an outage of the mail server, a decision that is being made. */
const GRACE_MS = 15 * 60_000;
/** Jobs are tried again: some always fail for a moment. */
const MAX_FAILING_JOBS = 10;

const causes = [
  'late',
  'partner',
  'payments',
  'emails',
  'jobs',
  'backup',
  'backup_incomplete',
] as const;
type Cause = (typeof causes)[number];

/** Where staff see to it. */
const pages: Readonly<Record<Cause, string>> = {
  late: '/admin',
  partner: '/admin/payments',
  payments: '/admin/payments',
  emails: '/admin/settings/setup',
  jobs: '/admin/settings/setup',
  backup: '/admin/settings/setup',
  backup_incomplete: '/admin/settings/setup',
};

/** `about`: tells one occurrence from the next, so that each is written of once. */
type Trouble = { cause: Cause; about: string; number: number; partner: string };

/** What the operator has to hear of now. What goes on is another occurrence each day (UTC). */
async function findTroubles({ db, config, now }: Platform): Promise<Trouble[]> {
  const at = now();
  const before = new Date(at.getTime() - GRACE_MS);
  const backup = config.backupRecipient === undefined ? null : { last: await lastBackup(db) };
  const isOld =
    backup && (!backup.last || at.getTime() - backup.last.begunAt.getTime() > MAX_BACKUP_AGE_MS);
  const counts: readonly [Cause, number][] = [
    ['late', (await countWaiting(db, before)).overdue],
    ['payments', await countOpenAlerts(db, { raisedBefore: before })],
    ['emails', await countFailedEmails(db, { from: new Date(at.getTime() - DAY_MS), to: before })],
    ['jobs', Math.max(0, (await countJobs(db)).failed - MAX_FAILING_JOBS)],
    ['backup', isOld ? 1 : 0],
    ['backup_incomplete', backup?.last?.missingFiles ?? 0],
  ];
  const going = counts
    .filter(([, number]) => number > 0)
    .map(([cause, number]): Trouble => {
      return { cause, about: `${cause}:${toPlainDate(at, UTC)}`, number, partner: '' };
    });
  const outages = (await listOutages(db)).map(({ provider, since }): Trouble => {
    const about = `partner:${provider}:${since.toISOString()}`;
    return { cause: 'partner', about, number: 1, partner: provider };
  });
  return [...outages, ...going];
}

/** One of those who hear of what goes wrong; `accountId` is null for `ALERT_EMAIL`. */
export const listener = z.object({ accountId: z.uuid().nullable() });
type Listener = z.infer<typeof listener>;

/** Who hears of what goes wrong: `ALERT_EMAIL`, without one the administrators. */
export async function listListeners({ db, config }: Platform): Promise<Listener[]> {
  if (config.alertEmail !== undefined) return [{ accountId: null }];
  return (await activeAccounts(db, ['administrator'])).map(({ id }) => ({ accountId: id }));
}

/**
 * Queues one email for a listener, unless it is stored already.
 * @param kind Names the job as well.
 */
export async function queueForListener(
  { db }: Platform,
  kind: JobEmailKind,
  { accountId, about, ...rest }: Listener & { about: string } & Readonly<Record<string, unknown>>,
): Promise<void> {
  const full = [about, accountId ?? 'operator'].join(':');
  if (await isEmailStored(db, { kind, about: full })) return;
  await enqueue(
    db,
    `operator.${kind}`,
    { accountId, about: full, ...rest },
    { key: `${kind}:${full}` },
  );
}

/** The envelope of an email to a listener; null for somebody who is no administrator any more. */
export async function findListener(
  { db, config }: Platform,
  { accountId }: Listener,
): Promise<Pick<FoundByJob, 'to' | 'language'> | null> {
  // No language is stored of staff.
  const language = defaultLanguage;
  if (accountId === null) {
    return config.alertEmail === undefined ? null : { to: config.alertEmail, language };
  }
  const account = await accountById(db, accountId);
  return account?.active && account.role === 'administrator'
    ? { to: account.email, language }
    : null;
}

const payload = listener.extend({
  about: z.string(),
  cause: z.enum(causes),
  number: z.int(),
  partner: z.string(),
});

export const operatorAlert: JobKind = {
  recurring: {
    cron: '*/5 * * * *',
    name: 'operator.look',
    run: async (platform) => {
      const troubles = await findTroubles(platform);
      if (troubles.length === 0) return;
      for (const { accountId } of await listListeners(platform)) {
        for (const trouble of troubles) {
          await queueForListener(platform, 'operator_alert', { accountId, ...trouble });
        }
      }
    },
  },
  jobs: {
    'operator.operator_alert': async (platform, given) => {
      const { about, cause, number, partner, ...to } = payload.parse(given);
      const found = await findListener(platform, to);
      return (
        found && {
          ...found,
          about,
          write: (words) => {
            const { t, footer, language } = words;
            const values = { number, partner: partner === '' ? '' : words.partner(partner) };
            const subject = t(`operator_alert.subject.${cause}`, values);
            const text = t(`operator_alert.text.${cause}`);
            return {
              language,
              subject,
              preview: text,
              heading: subject,
              greeting: t('greetingNobody'),
              paragraphs: [text],
              numbers: null,
              button: { label: t('operator_alert.button'), href: words.page(pages[cause]) },
              note: cause === 'partner' ? null : t('operator_alert.note'),
              sections: [],
              closing: [t('team')],
              footer: replacePrivacyText(footer, t('operator_alert.privacy')),
            };
          },
        }
      );
    },
  },
};
