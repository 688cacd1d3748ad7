import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { makeBusyAnswers } from '../src/app/busy-answers.server.ts';
import { makeAdmission, workBounds } from '../src/platform/admission/admission.server.ts';
import { makeListener } from '../src/platform/admission/listener.server.ts';
import { makeTestPlatform } from './platform.ts';

const platform = await makeTestPlatform();
const asked: string[] = [];
const server = createServer(
  makeListener({
    admission: makeAdmission({
      bounds: workBounds({ readsAtOnce: 4, atOnce: 4, waiting: 4 }),
      waitMs: 1000,
      latestMs: 1000,
      loopDelayMs: () => 0,
    }),
    isSimulated: true,
    busyAnswer: await makeBusyAnswers(platform),
    async fetch(request) {
      asked.push(new URL(request.url).pathname);
      await request.text().catch(() => '');
      return new Response('ok');
    },
  }),
);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' && address ? address.port : 0;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends raw bytes; returns everything received until the connection ended. */
async function send(lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.setTimeout(2000, () => socket.destroy());
  socket.write(lines.join('\r\n'));
  await once(socket, 'close');
  return received;
}

const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n';

/** Each would be one request to one program and two to another. */
test.each([
  ['two lengths', ['Content-Length: 0', `Content-Length: ${HIDDEN.length}`]],
  ['a length beside chunks', [`Content-Length: ${HIDDEN.length}`, 'Transfer-Encoding: chunked']],
  ['chunks beside a length', ['Transfer-Encoding: chunked', 'Content-Length: 4']],
  ['another last encoding', ['Transfer-Encoding: chunked, identity']],
  ['a length with a sign', [`Content-Length: +${HIDDEN.length}`]],
  ['a length of words', ['Content-Length: 0x10']],
  ['a folded line', ['Transfer-Encoding:', ' chunked', 'Content-Length: 4']],
  ['a space before the colon', ['Transfer-Encoding : chunked', 'Content-Length: 4']],
])('a request with %s is refused, and what hides in it is no request', async (_, headers) => {
  asked.length = 0;
  const answer = await send(['POST /seen HTTP/1.1', 'Host: a', ...headers, '', HIDDEN]);
  expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
  expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  expect(asked).not.toContain('/hidden');
});

test('an honest request is answered', async () => {
  const answer = await send(['GET /seen HTTP/1.1', 'Host: a', 'Connection: close', '', '']);
  expect(answer).toMatch(/^HTTP\/1\.1 200/);
});
