import { randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Role } from '~/features/staff/roles.ts';
import { openSession, sessionCookie, staffOfAccount } from '~/features/staff/session.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { accountById, insertAccount } from '~/features/staff/store.server.ts';
import { hashPassword } from '~/platform/crypto/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { LOW_COST } from '~/platform/testing/low-cost.ts';

/** A PDF that passes the checks. */
export const goodPdf = (text = 'Visa'): Buffer => {
  const content = deflateSync(Buffer.from(`BT (${text}) Tj ET`));
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 3 0 R >>\nendobj\n'),
    Buffer.from('3 0 obj\n<< /Type /Pages /Kids [4 0 R] /Count 1 >>\nendobj\n'),
    Buffer.from('4 0 obj\n<< /Type /Page /Parent 3 0 R /MediaBox [0 0 612 792] >>\nendobj\n'),
    Buffer.from('2 0 obj\n'),
    Buffer.from(`<< /Filter /FlateDecode /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream\nendobj\ntrailer << /Root 1 0 R >>\nstartxref\n0\n%%EOF\n'),
  ]);
};

const lowHash = hashPassword('correct horse battery', LOW_COST);

/** A staff account, and the cookie of its session. */
export async function storeStaff(
  platform: Platform,
  {
    name = 'E. Aydın',
    role = 'reviewer',
    passwordHash,
  }: { name?: string; role?: Role; passwordHash?: string } = {},
): Promise<Staff & { cookie: string }> {
  const id = randomUUID();
  const email = `${id.slice(0, 8)}@lale.example`;
  const now = platform.now();
  await insertAccount(platform.db, {
    id,
    email,
    name,
    role,
    passwordHash: passwordHash ?? (await lowHash),
    // Long enough ago to confirm what two administrators decide.
    createdAt: new Date(now.getTime() - 2 * 24 * 3600_000),
  });
  const account = await accountById(platform.db, id);
  if (!account) throw new Error('The account was not stored');
  const token = await openSession(platform.db, { accountId: id, half: false, now });
  const cookie = sessionCookie(platform, token).split(';')[0] ?? '';
  return { ...staffOfAccount(account), cookie };
}
