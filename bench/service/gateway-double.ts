import { createServer } from 'node:http';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';

export type GatewayDouble = { variables: Record<string, string>; close(): void };

/** RSA of the length that live mode requires, because the cost of signatures is measured too. */
const KEY_BITS = 2048;

const keys = () =>
  generateKeyPairSync('rsa', {
    modulusLength: KEY_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

/** A card gateway outside the service that registers every payment at once and sends nothing. */
export async function startGatewayDouble(port: number): Promise<GatewayDouble> {
  const address = `http://127.0.0.1:${port}`;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const transactionId = randomUUID();
      const paymentLink = `${address}/pay/${transactionId}`;
      const answer = JSON.stringify({ status: 'created', transactionId, paymentLink });
      response.writeHead(201, { 'content-type': 'application/json' }).end(answer);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const [ours, theirs] = [keys(), keys()];
  return {
    variables: {
      CARD_GATEWAY_ENDPOINT: address,
      CARD_GATEWAY_MERCHANT_ID: 'LALE-BENCH',
      CARD_GATEWAY_PRIVATE_KEY: ours.privateKey,
      CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: theirs.publicKey,
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
