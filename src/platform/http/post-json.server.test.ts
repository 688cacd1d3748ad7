import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { postJson } from './post-json.server.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
let handle: Handler = () => undefined;
const server = createServer((request, response) => handle(request, response));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
const { port } = server.address() as AddressInfo;
const address = `http://127.0.0.1:${port}/v1/checkout?a=b`;

test('what is posted arrives as JSON, and the answer with its status, over one connection', async () => {
  const got: unknown[] = [];
  const connections = new Set<Socket>();
  handle = async (request, response) => {
    connections.add(request.socket);
    got.push([request.method, request.url, request.headers['content-type'], await text(request)]);
    response.writeHead(201).end('{"status":"öffnet"}');
  };
  for (let turn = 0; turn < 3; turn += 1) {
    const answer = await postJson(address, { name: 'Çelik', turn }, { timeoutMs: 1000 });
    expect([answer.status, answer.json()]).toEqual([201, { status: 'öffnet' }]);
  }
  expect(got.at(-1)).toEqual([
    'POST',
    '/v1/checkout?a=b',
    'application/json',
    '{"name":"Çelik","turn":2}',
  ]);
  expect(connections.size).toBe(1);
});

test('a redirection is an answer, and what is not JSON throws only when it is read', async () => {
  handle = (request, response) => {
    request.resume();
    response.writeHead(302, { location: '/elsewhere' }).end('<html>');
  };
  const answer = await postJson(address, {}, { timeoutMs: 1000 });
  expect(answer.status).toBe(302);
  expect(() => answer.json()).toThrow(SyntaxError);
});

test.each([
  ['begins no answer', () => undefined],
  ['does not end it', (response: ServerResponse) => response.writeHead(200).write('{')],
])('it throws in time where the other side %s', async (_, say) => {
  handle = (request, response) => {
    request.resume();
    say(response);
  };
  const began = performance.now();
  await expect(postJson(address, {}, { timeoutMs: 200 })).rejects.toThrow();
  expect(performance.now() - began).toBeLessThan(2000);
});

test('it throws where the other side breaks off or is not there', async () => {
  handle = (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-length': 10 }).write('{', () => response.destroy());
  };
  await expect(postJson(address, {}, { timeoutMs: 5000 })).rejects.toThrow();
  await expect(postJson('http://127.0.0.1:1/', {}, { timeoutMs: 5000 })).rejects.toThrow();
});

test('it throws where the answer does not stop', async () => {
  handle = (request, response) => {
    request.resume();
    response.writeHead(200).write('"');
    const more = () => {
      while (response.writable && response.write('x'.repeat(64 * 1024)));
    };
    response.on('drain', more).on('close', () => response.destroy());
    more();
  };
  await expect(postJson(address, {}, { timeoutMs: 10_000 })).rejects.toThrow('Too long an answer');
});
