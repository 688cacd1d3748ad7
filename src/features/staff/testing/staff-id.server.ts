import { randomUUID } from 'node:crypto';
import type { Database } from '~/platform/postgres/database.server.ts';
import { insertAccount } from '../store.server.ts';

/** The id of a new account that nobody signs in to, for actions that need a staff member. */
export async function storeStaffId(db: Database): Promise<string> {
  const id = randomUUID();
  await insertAccount(db, {
    id,
    email: `${id}@lale.example`,
    name: 'E. Aydın',
    role: 'administrator',
    passwordHash: '',
    createdAt: new Date(0),
  });
  return id;
}
