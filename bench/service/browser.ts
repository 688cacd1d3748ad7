import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

export type BenchResponse = {
  status: number;
  headers: IncomingHttpHeaders;
  /** As sent: compressed. */
  body: Buffer;
};

type Sent = {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

/** Headers that every current browser sends with every request. */
const COMMON = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-GB,en;q=0.9',
  'sec-ch-ua': '"Chromium";v="147", "Not=A?Brand";v="24"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
  'sec-fetch-site': 'same-origin',
};
const NAVIGATION = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'upgrade-insecure-requests': '1',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
  'sec-fetch-dest': 'document',
};

let browsers = 0;

/** Keep-alive connections that several browsers share, as they do behind a proxy. */
export const connections = (atOnce: number) =>
  new Agent({ keepAlive: true, maxSockets: atOnce, maxFreeSockets: atOnce });

/** A browser without scripts: keeps cookies, does not follow redirects. */
export class Browser {
  readonly #port: number;
  readonly #agent: Agent;
  readonly #cookies = new Map<string, string>();
  /** A new address for each, because limits by address are not measured here. */
  readonly #address: string;

  constructor(port: number, agent: Agent) {
    this.#port = port;
    this.#agent = agent;
    const n = browsers++;
    this.#address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  }

  get(path: string): Promise<BenchResponse> {
    return this.#send({ method: 'GET', path, headers: NAVIGATION });
  }

  /** A file of a page. */
  asset(path: string): Promise<BenchResponse> {
    const headers = { accept: '*/*', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'style' };
    return this.#send({ method: 'GET', path, headers });
  }

  submit(path: string, fields: Record<string, string>): Promise<BenchResponse> {
    return this.#send({
      method: 'POST',
      path,
      headers: { ...NAVIGATION, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  }

  json(path: string, body: object): Promise<BenchResponse> {
    return this.#send({
      method: 'POST',
      path,
      headers: {
        accept: '*/*',
        'content-type': 'application/json',
        'sec-fetch-mode': 'cors',
        'sec-fetch-dest': 'empty',
      },
      body: JSON.stringify(body),
    });
  }

  #send({ method, path, headers, body }: Sent): Promise<BenchResponse> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const origin = `http://127.0.0.1:${this.#port}`;
    return new Promise((resolve, reject) => {
      const sent = request({
        agent: this.#agent,
        host: '127.0.0.1',
        port: this.#port,
        method,
        path,
        headers: {
          ...COMMON,
          ...headers,
          'x-forwarded-for': this.#address,
          ...(cookie && { cookie }),
          ...(method === 'POST' && { origin, referer: origin + path }),
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
      });
      sent.once('error', reject);
      sent.once('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', reject);
        response.once('end', () => {
          this.#remember(response.headers);
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, body: Buffer.concat(parts) });
        });
      });
      sent.end(body);
    });
  }

  #remember(headers: IncomingHttpHeaders): void {
    for (const line of headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const name = pair.slice(0, at);
      if (/max-age=0/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, pair.slice(at + 1));
    }
  }
}

/** Decompressed. */
export function bodyText({ headers, body }: BenchResponse): string {
  const packing = headers['content-encoding'];
  if (packing === 'br') return brotliDecompressSync(body).toString();
  if (packing === 'gzip') return gunzipSync(body).toString();
  if (packing === 'zstd') return zstdDecompressSync(body).toString();
  return body.toString();
}

/**
 * Checks the status of an answer.
 * @throws Error for another status.
 */
export function expectStatus(answered: BenchResponse, status: number, what: string): BenchResponse {
  if (answered.status === status) return answered;
  const text = bodyText(answered).replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/g, ' ');
  throw new Error(
    `${what}: ${answered.status} instead of ${status}: ${text.replaceAll(/\s+/g, ' ').slice(0, 500)}`,
  );
}
