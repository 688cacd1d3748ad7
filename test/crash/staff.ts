import { randomUUID } from 'node:crypto';
import { call, field, persist, post } from './retrying-client.ts';

export const ADMIN = {
  ADMIN_EMAIL: 'desk@lale.example',
  ADMIN_PASSWORD: 'violet kettle harbour plum',
};

export type StaffRefund = { id: string; amountMinor: number };

/** A staff member who refunds. */
export class Staff {
  readonly #address: string;
  #cookie: string | undefined;

  constructor(address: string) {
    this.#address = address;
  }

  /**
   * Opens a refund of some applications of an order, repeating until it is answered; its id makes the repetitions one.
   * Everything, or what a cancellation refunds; null where the order is not known to be paid yet.
   */
  addToRefunded(
    number: string,
    {
      partial,
      applications,
      amountMinor,
    }: { partial: boolean; applications: readonly string[]; amountMinor: number },
  ): Promise<StaffRefund | null> {
    const cause = partial ? 'cancelled' : 'duplicate_payment';
    const asked = { id: randomUUID(), cause, applications };
    return persist(async () => {
      const path = `/api/admin/orders/${number}/refunds`;
      const response = await post(this.#address + path, asked, await this.#headers());
      if (response.status === 409) return null;
      if (response.status !== 201)
        throw new Error(`refund: ${response.status} ${await response.text()}`);
      return { id: asked.id, amountMinor };
    });
  }

  /** Rejects a visa, repeating until it is answered; "decided already" then means that an earlier try succeeded. */
  async reject(number: string): Promise<void> {
    await persist(async () => {
      const path = `/api/admin/applications/${number}/reject`;
      const response = await post(
        this.#address + path,
        { reason: 'The photo is blurred.' },
        await this.#headers(),
      );
      if (!response.ok && response.status !== 409)
        throw new Error(`reject: ${response.status} ${await response.text()}`);
    });
  }

  /**
   * Uploads an application's PDF and approves it, repeating until it is answered; false where it cannot be approved.
   */
  async approve(number: string, pdf: Buffer): Promise<boolean> {
    const file = await persist(async () => {
      const response = await call(`${this.#address}/api/admin/files`, {
        method: 'POST',
        headers: { ...(await this.#headers()), 'content-type': 'application/pdf' },
        body: new Uint8Array(pdf),
      });
      if (response.status !== 201) throw new Error(`upload: ${response.status}`);
      return field(await response.json(), 'id');
    });
    return persist(async () => {
      const response = await post(
        `${this.#address}/api/admin/applications/${number}/approve`,
        { documentUrl: file },
        await this.#headers(),
      );
      // Decided by now: by a try whose answer was lost, or by a refund.
      if (response.status === 409) return false;
      if (!response.ok) throw new Error(`approve: ${response.status} ${await response.text()}`);
      return true;
    });
  }

  /** What an address answers to the signed-in person, repeating until it does. */
  read(address: string): Promise<Buffer> {
    return persist(async () => {
      const response = await call(address, { headers: await this.#headers() });
      if (!response.ok) throw new Error(`${address}: ${response.status}`);
      return Buffer.from(await response.arrayBuffer());
    });
  }

  async #headers(): Promise<{ cookie: string; origin: string }> {
    this.#cookie ??= await this.#signIn();
    return { cookie: this.#cookie, origin: this.#address };
  }

  async #signIn(): Promise<string> {
    const response = await call(`${this.#address}/admin`, {
      method: 'POST',
      headers: { origin: this.#address },
      body: new URLSearchParams({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }),
      redirect: 'manual',
    });
    const cookie = response.headers.get('set-cookie')?.split(';')[0];
    if (!cookie) throw new Error(`sign in: ${response.status}`);
    return cookie;
  }
}
