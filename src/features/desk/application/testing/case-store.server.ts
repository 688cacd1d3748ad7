import { randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Application } from '~/features/application/store.server.ts';
import type { Role } from '~/features/staff/roles.ts';
import { openSession, sessionCookie, toStaff } from '~/features/staff/session.server.ts';
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
  return { ...toStaff(account), cookie };
}

/** A PDF of one page with these lines, which passes the checks and whose text can be read. */
export function textPdf(lines: readonly string[]): Buffer {
  const shown = lines.map((line) => `(${line.replace(/[()\\\\]/g, '\\\\$&')}) Tj T*`).join(' ');
  const content = lines.length === 0 ? '' : `BT /F1 12 Tf 14 TL 72 720 Td ${shown} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const head = '%PDF-1.7\n';
  const offsets: number[] = [];
  let body = '';
  for (const [index, object] of objects.entries()) {
    offsets.push(head.length + body.length);
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  return Buffer.from(
    `${head}${body}xref\n0 ${count}\n0000000000 65535 f \n${table}trailer << /Size ${count} /Root 1 0 R >>\n` +
      `startxref\n${head.length + body.length}\n%%EOF\n`,
    'latin1',
  );
}

/** An e-visa for an application, as the authorities print it. `passport`: its number in full. */
export const evisaPdf = (
  {
    firstName,
    lastName,
    dateOfBirth,
    startsOn,
  }: Pick<Application, 'firstName' | 'lastName' | 'dateOfBirth' | 'startsOn'>,
  passport: string,
): Buffer =>
  textPdf([
    'e-Visa',
    `Surname: ${lastName.toUpperCase()}`,
    `Given names: ${firstName.toUpperCase()}`,
    'Nationality: SOUTH AFRICA',
    `Passport number: ${passport}`,
    `Date of birth: ${dateOfBirth.split('-').toReversed().join('/')}`,
    `Valid from ${startsOn} until ${Number(startsOn.slice(0, 4)) + 1}${startsOn.slice(4)}`,
  ]);
