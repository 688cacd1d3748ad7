import cluster from 'node:cluster';
import { runProcess } from './platform/processes/process.server.ts';

/** Web and jobs: in one process, or in several under a parent, which loads no pages. */
await runProcess(async (config) => {
  if (cluster.isPrimary && config.processes > 1) {
    console.log(`Lale starts: ${config.processes} processes.`);
    const { startParent } = await import('./platform/processes/parent.server.ts');
    return startParent(config);
  }
  const { startWeb } = await import('./app/web.server.ts');
  return startWeb(config);
});
