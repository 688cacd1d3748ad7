import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'src',
  ssr: true,
  // Every page URL is in the first document: no manifest request before a link can be followed.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
