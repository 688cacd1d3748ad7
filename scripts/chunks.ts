/** The parts of `getModuleInfo` that tell who needs a module. */
type Graph = { getModuleInfo: (id: string) => { importers: readonly string[] } | null };

const FRAMEWORK = /\/node_modules\/(react|react-dom|scheduler)\//;
/** The desk's client router. */
const ROUTER = /\/node_modules\/react-router\//;
const TEXTS = /virtual:(texts)\/(\w+)\/(\w+)$/;
/** What every page with scripts loads, and the first step, where most visitors meet their first scripts; most others share it. */
const FRAME = /\/src\/(entry\.client|features\/visa\/pages\/nationality)\.tsx/;

const only = (name: string, isIn: (id: string, graph: Graph) => boolean) => ({
  name: (id: string, graph: Graph) => (isIn(id, graph) ? name : null),
});

/**
 * The browser files that modules go into; the first group that wants one has it, with what it needs. Left alone, the bundler
 * makes a file of every module that two pages share: the first step would fetch sixty, each compressed by itself, and
 * the list of who needs which would weigh as much as a page.
 */
export const chunks = [
  only('framework', (id) => FRAMEWORK.test(id)),
  only('router', (id) => ROUTER.test(id)),
  only('frame', (id, graph) => isNeededBy(FRAME, id, graph)),
];

/** A file says which texts it holds. */
export function chunkFileNames({ facadeModuleId }: { facadeModuleId: string | null }): string {
  const texts = TEXTS.exec(facadeModuleId ?? '')
    ?.slice(1)
    .join('-');
  return `assets/${texts ?? '[name]'}-[hash].js`;
}

/** Whether a module comes with one of these, by imports that are not put off. */
function isNeededBy(wanted: RegExp, id: string, graph: Graph): boolean {
  const seen = new Set([id]);
  for (const one of seen) {
    if (wanted.test(one)) return true;
    for (const importer of graph.getModuleInfo(one)?.importers ?? []) seen.add(importer);
  }
  return false;
}
