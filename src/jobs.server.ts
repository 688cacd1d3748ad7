import type { Platform } from './platform/platform.server.ts';

/** What the background does, feature by feature: job name → what runs. */
export function jobHandlers(platform: Platform) {
  void platform;
  return {};
}
