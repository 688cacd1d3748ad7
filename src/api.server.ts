import { Hono } from 'hono';
import type { Platform } from './platform/platform.server.ts';
import { problem } from './platform/problem.server.ts';

/** Every HTTP call of the service, feature by feature. */
export function api(platform: Platform) {
  const app = new Hono();
  void platform;
  app.all('/api/*', () => problem({ status: 404, code: 'not_found' }));
  return app;
}
