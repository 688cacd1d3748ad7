import { serve } from '@hono/node-server';
import { api } from '../../src/app/api.server.ts';
import { jobHandlers } from '../../src/app/jobs.server.ts';
import { makePayments } from '../../src/app/composition/payments.server.ts';
import { runCommand } from '../../src/platform/config/command.server.ts';
import { ConfigError } from '../../src/platform/config/config-error.server.ts';
import { readConfig } from '../../src/platform/config/config.server.ts';
import { randomToken } from '../../src/platform/crypto/crypto.server.ts';
import { runDueJobs } from '../../src/platform/jobs/jobs.server.ts';
import { makeLog } from '../../src/platform/log/log.server.ts';
import { makeMail } from '../../src/platform/mail/mail.server.ts';
import { openPlatform } from '../../src/platform/platform.server.ts';
import { seedDesk, type SeedRefusal, type SeedOptions } from './seed-desk.ts';

const refusals: Record<SeedRefusal, string> = {
  live: 'MODE: invented people never get into a live database',
  applications: 'there are applications already; `npm run seed -- --add` adds to them',
  seals:
    'days of the audit trail are sealed already, so nothing can have happened on them: choose another DATA_DIR, or ' +
    '`npm run seed -- --add` for what could have happened since',
};

/** Seeds the configured database. */
export const seedConfigured = (
  wanted: Pick<SeedOptions, 'add' | 'applications' | 'seed'>,
): Promise<void> =>
  runCommand(async () => {
    const config = readConfig(process.env);
    if (config.mode !== 'test') throw new ConfigError([refusals.live]);
    const until = new Date();
    let time = until;
    const log = makeLog({ level: 'error' });
    const platform = await openPlatform(config, {
      listens: true,
      log,
      now: () => new Date(time),
      // No email is sent, whatever server is configured.
      mail: makeMail({ ...config, mailUrl: undefined }),
    });
    const payments = makePayments(platform);
    // The simulated providers and the service communicate over HTTP.
    const server = serve({
      fetch: api(platform, payments).fetch,
      port: config.port,
      hostname: config.host,
    });
    try {
      const handlers = jobHandlers(platform, payments);
      const password = config.adminPassword ?? randomToken(120);
      const began = performance.now();
      const seeded = await seedDesk(
        {
          platform,
          payments,
          runJobs: () => runDueJobs({ pool: platform.pool, handlers, log }),
        },
        { ...wanted, now: until, setClock: (at) => void (time = at), password },
      );
      if (!seeded.ok) throw new ConfigError([refusals[seeded.error]]);
      const took = Math.round((performance.now() - began) / 1000);
      console.log(`${wanted.applications} applications of 90 days, in ${took} s.`);
      console.log('Staff sign in at /admin after npm start, everybody with the password');
      console.log(`${password} (shown once, write it down):`);
      for (const { email, name, role } of seeded.value.staff) {
        console.log(`  ${email}  ${name}, ${role}`);
      }
      return 0;
    } finally {
      server.close();
      await platform.close();
    }
  });
