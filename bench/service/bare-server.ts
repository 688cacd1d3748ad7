/**
 * Measures what Node and one statement alone cost: `node:http` that sends the same bytes as the service, or stores the
 * body it gets. Started by the bench with a file that says what to serve.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { z } from 'zod';

export const bareOptions = z.object({
  port: z.number(),
  databaseUrl: z.string(),
  /** Path, media type and body in base64, compressed as a browser gets it. */
  files: z.array(z.object({ path: z.string(), type: z.string(), body: z.string() })),
});

const options = bareOptions.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const files = new Map(
  options.files.map(({ path, type, body }) => [path, { type, body: Buffer.from(body, 'base64') }]),
);
const pool = new pg.Pool({ connectionString: options.databaseUrl, max: 20 });
await pool.query('create table if not exists bare (id uuid primary key, body jsonb not null)');

const insert = {
  name: 'insert',
  text: 'insert into bare (id, body) values (gen_random_uuid(), $1) returning id',
};

async function store(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const body: unknown = JSON.parse(Buffer.concat(parts).toString());
  const { rows } = await pool.query({ ...insert, values: [JSON.stringify(body)] });
  const answer = JSON.stringify(rows[0]);
  response
    .writeHead(201, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
    })
    .end(answer);
}

createServer((request, response) => {
  if (request.method === 'POST') {
    store(request, response).catch(() => response.writeHead(500).end());
    return;
  }
  const file = files.get(request.url ?? '');
  if (!file) return void response.writeHead(404).end();
  response
    .writeHead(200, {
      'content-type': file.type,
      'content-encoding': 'br',
      'content-length': file.body.length,
    })
    .end(file.body);
}).listen(options.port, '127.0.0.1');
