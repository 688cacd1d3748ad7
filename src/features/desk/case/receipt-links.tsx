/** Receipt and credit notes of an order, each as the payer gets it. Opened in another tab; looking is written down. */
export function ReceiptLinks({
  receipts,
}: {
  receipts: readonly { id: string; number: string }[];
}) {
  return (
    <span className="flex flex-wrap gap-x-4">
      {receipts.map(({ id, number }) => (
        <a className="mono" href={`/admin/receipts/${id}`} key={id} target="_blank">
          <bdi dir="ltr">{number}</bdi>
        </a>
      ))}
    </span>
  );
}
