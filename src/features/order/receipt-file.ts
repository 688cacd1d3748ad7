import { redirect } from 'react-router';
import { readReceiptLink } from './receipt/issue-receipt.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/receipt-file.ts';

/** `/receipts/:token`: the PDF, for ten minutes after it was opened. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const file = await readReceiptLink(context.get(platformContext), params.token, request);
  return file ?? redirect('/receipt', { headers: { 'Cache-Control': 'no-store' } });
}
