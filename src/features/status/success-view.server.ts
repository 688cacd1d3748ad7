import type { ServiceCode } from '~/features/order/service-code.ts';
import { usd, type Money } from '~/base/money.ts';
import type { PaymentResult } from '~/features/order/result/payment-result.server.ts';
import {
  receiptPath,
  storedReceiptNumber,
  receiptsByOrder,
  type Receipt,
} from '~/features/order/receipt/issue-receipt.server.ts';
import { linesByOrder, type OrderLine, type Order } from '~/features/order/store.server.ts';
import type { PaymentState } from '~/features/payment/machine.ts';
import { currentOperator } from '~/features/settings/operator.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { CoverView } from '~/features/application/cover-table.tsx';
import {
  applicationsByOrder,
  currentDocument,
  applicationEvents,
  type Application,
} from '~/features/application/store.server.ts';
import { statusView } from './lookup.server.ts';
import type { StatusView } from './status-view.ts';
import { hasSeveralTravellers, byTraveller } from '~/features/application/travellers.ts';
import { fullName } from '~/features/application/full-name.ts';

export type SuccessView = {
  /** The order's number; for a browser that only knows the number of one application, that number. */
  number: string;
  applications: StatusView[];
  /** Whether the order has several travellers and this browser may see all of them. */
  isOfSeveral: boolean;
  /** For several travellers one line each, with the name or position; otherwise the lines of the order. */
  lines: ({ amount: Money } & (
    | { code: string; detail: ServiceCode | null }
    | { name: string }
    | { position: number }
  ))[];
  total: Money;
  transactionId: string | null;
  /** Only for the payer's own browser; null for others who know the number. */
  email: string | null;
  /** What became of the money of this browser's attempt, where another attempt paid the order. */
  overtaken: {
    kind: 'returning' | 'returned' | 'elsewhere';
    amount: Money;
    /** It was for an amount that was no longer due. */
    isOfOldAmount: boolean;
  } | null;
  /** The order's receipt. `isOpen`: this is the payer's browser, so no date of birth is asked for. */
  receipt: { id: string; number: string; isOpen: boolean } | null;
  isTest: boolean;
  /** Whom to write to when something is wrong. */
  supportEmail: string;
  /** The terms of the insurances in it. */
  covers: readonly CoverView[];
};

/** A paid order as its confirmation shows it. Names, and what else was bought, are for the payer's browser only. */
export async function successView(
  platform: Platform,
  { order, attempt, isPayer, number, overtaken }: PaymentResult,
  coversOf: (numbers: readonly string[]) => Promise<readonly CoverView[]>,
): Promise<SuccessView> {
  const [receipt, placed, bought, operator, settings] = await Promise.all([
    receiptOf(platform.db, order),
    applicationsByOrder(platform.db, order.number),
    linesByOrder(platform.db, order.id),
    currentOperator(platform),
    currentSettings(platform.db),
  ]);
  // Applications rejected before the payment are no longer part of the order.
  const together = placed.filter((one) =>
    bought.some(({ applicationNumber }) => applicationNumber === one.number),
  );
  const asked = together.filter((application) => application.number === number);
  const isOfSeveral = hasSeveralTravellers(together);
  // The order's number shows all travellers, as on the status page; a traveller's own number shows only that traveller.
  const showsOrder = isPayer || asked.length === 0;
  const applications =
    showsOrder && (isPayer || isOfSeveral)
      ? together
      : asked.length > 0
        ? asked
        : together.slice(0, 1);
  const lines =
    isPayer || number === order.number
      ? bought
      : bought.filter(({ applicationNumber }) => applicationNumber === number);
  const views = applications.map(async (application) => {
    const [events, document] = await Promise.all([
      applicationEvents(platform.db, application.id),
      currentDocument(platform.db, application.id),
    ]);
    const processingAt = events.find(({ kind }) => kind === 'processing')?.at ?? null;
    const attempts = attempt ? [attempt] : [];
    const view = statusView({
      application,
      together: applications,
      order,
      attempts,
      document,
      processingAt,
      settings,
      now: platform.now(),
      showsOrder: showsOrder || !isOfSeveral,
    });
    return isPayer ? view : { ...view, firstName: '', lastName: '' };
  });
  return {
    number,
    applications: await Promise.all(views),
    isOfSeveral: isOfSeveral && showsOrder,
    lines:
      isOfSeveral && showsOrder
        ? linesByTraveller(together, lines, isPayer)
        : lines.map(({ code, detail, amountMinor }) => ({
            code,
            detail,
            amount: usd(amountMinor),
          })),
    total: usd(lines.reduce((sum, line) => sum + line.amountMinor, 0)),
    transactionId: attempt?.providerReference ?? attempt?.captureId ?? null,
    email: isPayer ? order.customerEmail : null,
    overtaken: overtaken && {
      kind: overtakenKind[overtaken.state] ?? 'elsewhere',
      amount: usd(overtaken.amountMinor),
      isOfOldAmount: overtaken.supersededAt !== null,
    },
    receipt: receipt && {
      id: receipt.id,
      number: storedReceiptNumber(receipt),
      isOpen: isPayer,
    },
    isTest: platform.config.mode === 'test',
    supportEmail: operator.supportEmail,
    covers: await coversOf(applications.map((application) => application.number)),
  };
}

/** What each of several travellers costs: by name for the payer, by position for others. */
function linesByTraveller(
  together: readonly Application[],
  lines: readonly OrderLine[],
  isPayer: boolean,
): SuccessView['lines'] {
  return byTraveller(together).map(({ position, applications }) => {
    const numbers = new Set(applications.map(({ number }) => number));
    const own = lines.filter(({ applicationNumber }) => numbers.has(applicationNumber));
    const [first] = applications;
    const amount = usd(own.reduce((sum, line) => sum + line.amountMinor, 0));
    return isPayer && first ? { name: fullName(first), amount } : { position, amount };
  });
}

/** Where the payer's browser may have the receipt: the path of a short-lived link. */
export async function openOwnReceipt(
  platform: Platform,
  { order, isPayer }: PaymentResult,
): Promise<string | null> {
  const receipt = isPayer ? await receiptOf(platform.db, order) : null;
  return receipt && receiptPath(platform, receipt.id);
}

const receiptOf = async (db: Queryable, { id }: Order): Promise<Receipt | null> =>
  (await receiptsByOrder(db, id)).find(({ kind }) => kind === 'receipt') ?? null;

const overtakenKind: Partial<Record<PaymentState, 'returning' | 'returned'>> = {
  captured_late: 'returning',
  refunded: 'returned',
};
