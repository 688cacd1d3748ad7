import { randomUUID } from 'node:crypto';
import { call, persist, post } from './line.ts';

export const ADMIN = {
  ADMIN_EMAIL: 'desk@lale.example',
  ADMIN_PASSWORD: 'violet kettle harbour plum',
};

export type Refunded = { id: string; amountMinor: number };

/** Somebody at the desk who gives money back. */
export class Staff {
  readonly #address: string;
  #cookie: string | undefined;

  constructor(address: string) {
    this.#address = address;
  }

  /**
   * Opens a refund, repeating until it is answered; the id makes the repetitions one. All of 94.00, or the fee of
   * 25.00; null where the order is not known to be paid yet.
   */
  giveBack(number: string, { partial }: { partial: boolean }): Promise<Refunded | null> {
    const asked = { id: randomUUID(), cause: partial ? 'cancelled' : 'duplicate_payment' };
    return persist(async () => {
      this.#cookie ??= await this.#signIn();
      const response = await post(`${this.#address}/api/admin/orders/${number}/refunds`, asked, {
        cookie: this.#cookie,
        origin: this.#address,
      });
      if (response.status === 409) return null;
      if (response.status !== 201)
        throw new Error(`refund: ${response.status} ${await response.text()}`);
      return { id: asked.id, amountMinor: partial ? 25_00 : 94_00 };
    });
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
