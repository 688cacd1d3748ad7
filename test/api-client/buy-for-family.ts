import * as lale from './lale.ts';

/** What a card payment needs besides calls: a person at the payment page. */
type PayAt = (paymentUrl: string) => Promise<void>;

/** Buys for a family of four by the generated client alone; returns the order as it then stands. */
export async function buyForFamily(url: string, payAt: PayAt): Promise<lale.OrderStatus> {
  lale.defaults.baseUrl = url;
  const prices = await lale.getPrices('ZAF');
  if (prices.status !== 200) throw new Error(prices.data.code);
  const [cheapest] = prices.data.speeds;
  if (!cheapest) throw new Error('No e-visa');
  const traveller = (firstName: string, dateOfBirth: string, passportNumber: string) => ({
    firstName,
    lastName: 'Nkosi',
    email: 'anna@mail.example',
    phone: '+27 31 555 0142',
    passportNumber,
    passportIssueDate: '2022-03-01',
    passportExpiryDate: '2032-02-28',
    dateOfBirth,
    placeOfBirth: 'Durban',
    motherName: 'Zanele Nkosi',
    fatherName: 'Sipho Nkosi',
    address: '12 Marine Parade, 4001 Durban',
    arrivalDate: '2027-01-15',
    processingType: cheapest.processingType,
    documentType: 'ordinary' as const,
    countryId: prices.data.countryId,
  });
  const body = {
    applications: [
      traveller('Anna', '1988-04-12', 'A01234567'),
      traveller('Bela', '1986-01-30', 'A01234568'),
      traveller('Carl', '2015-02-03', 'A01234569'),
      traveller('Dora', '2017-09-21', 'A01234570'),
    ],
    totalAmount: (4 * Number(cheapest.totalAmount)).toFixed(2),
  };
  const placed = await lale.placeOrder(body, { idempotencyKey: 'row-17' });
  if (placed.status !== 201) throw new Error(JSON.stringify(placed.data));
  const payment = await lale.createPayment({
    amount: placed.data.totalAmount,
    orderReference: placed.data.orderReference,
    payer: 'guest',
    customerName: 'Anna Nkosi',
    customerEmail: 'anna@mail.example',
  });
  if (payment.status !== 200) throw new Error(JSON.stringify(payment.data));
  await payAt(payment.data.paymentUrl);
  const order = await lale.getOrderStatus(placed.data.orderNumber);
  if (order.status !== 200) throw new Error(order.data.code);
  return order.data;
}
