import * as build from 'virtual:react-router/server-build';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageAddresses } from '../../../test/routes-and-calls.ts';
import { projectRoot } from '../config/root.server.ts';
import { makeRouteTable } from './route-table.server.ts';

const match = makeRouteTable(build);

test.each([
  ['/', 'features/site/home', {}],
  ['/application/arrival', 'features/visa/arrival', {}],
  ['/Application/ARRIVAL', 'features/visa/arrival', {}],
  ['/insurance/terms', 'features/insurance/terms', { version: undefined }],
  ['/insurance/terms/3', 'features/insurance/terms', { version: '3' }],
  ['/verify/Ab%20c', 'features/insurance/verify', { code: 'Ab c' }],
  ['/verify/%E0%A4%A', 'features/insurance/verify', { code: '%E0%A4%A' }],
  ['/admin/applications/TRV1', 'features/desk/application/application', { number: 'TRV1' }],
  ['/no/such/page', 'features/site/not-found', { '*': 'no/such/page' }],
  ['/verify/a/b', 'features/site/not-found', { '*': 'verify/a/b' }],
])('%s is %s', (pathname, id, params) => {
  const found = match(pathname);
  expect(found?.route.id).toBe(id);
  expect(found?.params).toEqual(params);
});

test('every address of the list of pages is found', () => {
  const addresses = pageAddresses().filter((address) => !address.includes('nothing'));
  expect(addresses.length).toBeGreaterThan(60);
  for (const address of addresses) {
    const found = match(address.replaceAll(/:\w+\??/g, 'x').replace(/^\/+/, '/'));
    expect(found?.route.id, address).not.toBe('features/site/not-found');
  }
});

test('visitors’ pages export their component by name: React Router’s plugin wraps what is declared as default', () => {
  const files = new Set(
    Object.values(build.routes).flatMap((route) =>
      route && !route.id.startsWith('features/desk/') ? [route.id] : [],
    ),
  );
  const sources = [...files].flatMap((id) => {
    if (!id.startsWith('features/')) return [];
    for (const ending of ['tsx', 'ts']) {
      try {
        return [[id, readFileSync(join(projectRoot, 'src', `${id}.${ending}`), 'utf8')] as const];
      } catch {
        continue;
      }
    }
    return [];
  });
  expect(sources.length).toBeGreaterThan(30);
  const wrapped = sources.filter(([, text]) =>
    /export (default|function ErrorBoundary|const ErrorBoundary)/.test(text),
  );
  expect(wrapped.map(([id]) => id)).toEqual([]);
});
