import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { goodPdf } from '~/features/desk/application/testing/case-store.server.ts';
import { application, type Purchase } from '../crash/purchase.ts';
import { call, field, persist, post } from '../crash/retrying-client.ts';
import type { Ledger } from '../crash/books.ts';
import type { Staff } from '../crash/staff.ts';

const PAUSE_MS = 60;
const paths = ['/en/faq', '/application', '/tr', '/status', '/api/countries', '/admin'];

/** Opens pages and applies without paying; each request is made once. Its applications are recorded. */
export async function visit(
  address: string,
  { isOver, done }: { isOver: () => boolean; done: Purchase[] },
): Promise<void> {
  for (let count = 0; !isOver(); count++) {
    const headers = { 'x-forwarded-for': `198.51.${count % 250}.${1 + (count % 200)}` };
    if (count % 8 === 7) {
      // Repeated so that the books can be compared; the proxy has counted failures.
      const [key, body] = [randomUUID(), application()];
      const number = await persist(async () => {
        const idempotent = { ...headers, 'idempotency-key': key };
        const answer = await post(`${address}/api/applications`, body, idempotent);
        if (answer.status !== 201) throw new Error(`apply: ${answer.status}`);
        return field(await answer.json(), 'applicationNumber');
      });
      done.push({ number, applications: [number], paid: false, refund: null });
    } else {
      const path = paths[count % paths.length] ?? '/';
      const answer = await call(`${address}${path}`, { headers }).catch(() => null);
      await answer?.arrayBuffer().catch(() => undefined);
    }
    await sleep(PAUSE_MS);
  }
}

/**
 * Approves paid applications with a PDF, one after the other, and reads each PDF again from wherever it is stored.
 * Returns how many were approved.
 */
export async function approve(
  address: string,
  {
    isOver,
    done,
    staff,
    ledger,
  }: { isOver: () => boolean; done: readonly Purchase[]; staff: Staff; ledger: Ledger },
): Promise<number> {
  let approved = 0;
  for (let next = 0; !isOver() || next < done.length; next++) {
    while (next >= done.length && !isOver()) await sleep(50);
    const purchase = done[next];
    if (!purchase?.paid || purchase.refund) continue;
    const known = await ledger.rows(
      'select 1 from purchase_order where number = $1 and paid_at is not null',
      [purchase.number],
    );
    if (known.length === 0) continue;
    const [visa = purchase.number] = purchase.applications;
    const pdf = goodPdf(`Visa ${visa}`);
    const isApproved = await staff.approve(visa, pdf);
    if (!isApproved) continue;
    approved++;
    const [document] = await ledger.rows<{ id: string }>(
      `select d.id from application_document d join application a on a.id = d.application_id where a.number = $1`,
      [visa],
    );
    const read = await staff.read(`${address}/admin/documents/${document?.id}`);
    if (!pdf.equals(read)) throw new Error(`The PDF of ${purchase.number} is another one`);
  }
  return approved;
}
