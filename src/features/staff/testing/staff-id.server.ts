import { randomUUID } from 'node:crypto';
import type { Database } from '~/platform/postgres/database.server.ts';
import { insertAccount } from '../store.server.ts';

/** The id of somebody with an account that nobody signs in to: who did something that a test needs done. */
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
