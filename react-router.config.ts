import { join } from 'node:path';
import type { Config } from '@react-router/dev/config';
import { packRest } from './scripts/precompress.ts';

export default {
  appDirectory: 'src',
  ssr: true,
  // Every page URL is in the first document: no manifest request before a link can be followed.
  routeDiscovery: { mode: 'initial' },
  buildEnd: ({ reactRouterConfig }) =>
    packRest(join(reactRouterConfig.buildDirectory, 'client', 'assets')),
} satisfies Config;
