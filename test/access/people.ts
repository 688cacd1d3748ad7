import { eq } from 'drizzle-orm';
import { storeStaff } from '../../src/features/desk/application/testing/case-store.server.ts';
import { may, type Role } from '../../src/features/staff/roles.ts';
import { openSession, sessionCookie } from '../../src/features/staff/session.server.ts';
import { staffAccount, staffSession } from '../../src/features/staff/tables.server.ts';
import type { TestPlatform } from '../platform.ts';
import type { Access } from './access-table.ts';

/** The result of a request: it is answered, redirects to sign-in or to setting up a second factor, or is refused. */
export type AccessResult = 'allowed' | 'sign in' | 'second factor' | 'refused';

export type MatrixPerson = {
  name: string;
  cookie: string;
  live: boolean;
  role: Role | null;
  factor: boolean;
};

export function expectedResult({ role, live, factor }: MatrixPerson, access: Access): AccessResult {
  if (access === 'sign_in' || access === 'link') return 'allowed';
  if (!role) return 'sign in';
  if (access === 'own' || access === 'moves' || access === 'none') return 'allowed';
  if (live && !factor) return 'second factor';
  return may(role, access) ? 'allowed' : 'refused';
}

/** All kinds of people, from visitors to an administrator in live mode. */
export async function storePeople(platform: TestPlatform): Promise<MatrixPerson[]> {
  const { db } = platform;
  const now = platform.now();
  const reviewer = await storeStaff(platform, { role: 'reviewer' });
  const manager = await storeStaff(platform, { role: 'manager' });
  const administrator = await storeStaff(platform, { role: 'administrator' });
  const enrolled = await storeStaff(platform, { role: 'administrator' });
  await db
    .update(staffAccount)
    .set({
      totpSecret: platform.sealer.seal(
        Buffer.alloc(20),
        `staff_account.totp_secret:${enrolled.id}`,
      ),
    })
    .where(eq(staffAccount.id, enrolled.id));
  const gone = await storeStaff(platform, { role: 'administrator' });
  await db.update(staffAccount).set({ active: false }).where(eq(staffAccount.id, gone.id));
  const left = await storeStaff(platform, { role: 'administrator' });
  await db.update(staffSession).set({ endedAt: now }).where(eq(staffSession.accountId, left.id));
  const token = await openSession(db, { accountId: enrolled.id, half: true, now });
  const [half = ''] = sessionCookie(platform, token).split(';');
  const nobody = { role: null, live: false, factor: false };
  const of = (staff: { cookie: string; role: Role }, live: boolean, factor = false) => ({
    cookie: staff.cookie,
    role: staff.role,
    live,
    factor,
  });
  return [
    { name: 'nobody', cookie: '', ...nobody },
    { name: 'a guessed session', cookie: 'lale_staff=guessed', ...nobody },
    { name: 'half a session', cookie: half, ...nobody },
    { name: 'a session that ended', cookie: left.cookie, ...nobody },
    { name: 'a deactivated administrator', cookie: gone.cookie, ...nobody },
    { name: 'half a session in live mode', cookie: half, ...nobody, live: true },
    { name: 'a reviewer', ...of(reviewer, false) },
    { name: 'a manager', ...of(manager, false) },
    { name: 'an administrator', ...of(administrator, false) },
    { name: 'a reviewer in live mode without second factor', ...of(reviewer, true) },
    { name: 'a manager in live mode without second factor', ...of(manager, true) },
    { name: 'an administrator in live mode without second factor', ...of(administrator, true) },
    { name: 'an administrator in live mode', ...of(enrolled, true, true) },
  ];
}
