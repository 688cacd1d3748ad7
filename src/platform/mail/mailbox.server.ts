import { ImapFlow } from 'imapflow';
import { DAY_MS } from '~/base/dates/dates.ts';
import { isThisMachine } from '../config/config-live.server.ts';
import type { Config } from '../config/config.server.ts';
import type { MailboxConfig } from '../config/config-mailbox.server.ts';

/** Where emails go that were taken. */
export const TAKEN_FOLDER = 'Lale';
/** How long they stay there, in milliseconds: long enough to look at one again. */
export const TAKEN_MS = 30 * DAY_MS;
/** Emails that one run takes, and looks at, so that it ends soon: the others follow in the next. */
const MAX_TAKEN = 50;
const MAX_LOOKED_AT = 500;

const INBOX = 'INBOX';

function imapClient({ host, port, user, password, isSecure }: MailboxConfig, mode: Config['mode']) {
  const client = new ImapFlow({
    host,
    port,
    secure: isSecure,
    auth: { user, pass: password },
    // In the clear to this machine alone, and in test mode.
    ...(!isSecure && mode === 'live' && !isThisMachine(host) && { doSTARTTLS: true }),
    tls: { rejectUnauthorized: mode === 'live' || !isThisMachine(host) },
    // It would log addresses and subjects.
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  // What goes wrong with the connection fails the command that waits for it, too.
  client.on('error', () => undefined);
  return client;
}

/** Does some work with the open inbox. */
async function withInbox<Result>(
  mailbox: MailboxConfig,
  mode: Config['mode'],
  work: (client: ImapFlow) => Promise<Result>,
): Promise<Result> {
  const client = imapClient(mailbox, mode);
  try {
    await client.connect();
    await client.mailboxOpen(INBOX);
    return await work(client);
  } finally {
    await client.logout().catch(() => client.close());
  }
}

/** What lies in the inbox and was looked at: no email about an application, for a person to see to. */
const countLeft = async (client: ImapFlow): Promise<number> =>
  ((await client.search({ seen: true }, { uid: true })) || []).length;

/**
 * Signs in to the mailbox and reads nothing. Returns how many emails in it no application was found for.
 * @throws Error of imapflow, with a `code` or the server's `responseText`, where it does not accept us
 */
export const mailboxAccepts = (mailbox: MailboxConfig, mode: Config['mode']): Promise<number> =>
  withInbox(mailbox, mode, countLeft);

/** What a run did: emails taken, emails left for a person (all there are), and those that failed and come again. */
export type MailboxRun = { taken: number; left: number; failed: unknown[] };

/**
 * Hands the unseen emails of the inbox to `take`, oldest first. One that it takes moves into a folder of its own, from
 * which it is deleted after `TAKEN_MS`; one that it leaves stays, seen and flagged; one at which it fails stays unseen
 * and does not stop the next. Emails above `maxBytes` are left.
 * @throws Error of imapflow where the server is away
 */
export const readInbox = (
  mailbox: MailboxConfig,
  {
    mode,
    maxBytes,
    now,
    take,
  }: {
    mode: Config['mode'];
    maxBytes: number;
    now: Date;
    take: (source: Uint8Array) => Promise<'taken' | 'left'>;
  },
): Promise<MailboxRun> =>
  withInbox(mailbox, mode, async (client) => {
    const run: MailboxRun = { taken: 0, left: 0, failed: [] };
    const known = (await client.list()).find(({ name }) => name === TAKEN_FOLDER);
    const { path: taken } = known ?? (await client.mailboxCreate(TAKEN_FOLDER));
    const unseen = (await client.search({ seen: false }, { uid: true })) || [];
    for (const uid of unseen.slice(0, MAX_LOOKED_AT)) {
      if (run.taken === MAX_TAKEN) break;
      const range = String(uid);
      const about = await client.fetchOne(range, { size: true }, { uid: true });
      if (!about) continue;
      const isTooLarge = (about.size ?? 0) > maxBytes;
      const read = isTooLarge
        ? null
        : await client.fetchOne(range, { source: true }, { uid: true });
      try {
        const source = read ? read.source : undefined;
        if (source && (await take(source)) === 'taken') {
          await client.messageMove(range, taken, { uid: true });
          run.taken += 1;
        } else {
          await client.messageFlagsAdd(range, ['\\Seen', '\\Flagged'], { uid: true });
        }
      } catch (error) {
        run.failed.push(error);
      }
    }
    run.left = await countLeft(client);
    await client.mailboxOpen(taken);
    const before = new Date(now.getTime() - TAKEN_MS);
    const old = (await client.search({ before }, { uid: true })) || [];
    if (old.length > 0) await client.messageDelete(old.join(','), { uid: true });
    return run;
  });
