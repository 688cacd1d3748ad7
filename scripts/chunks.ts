/** The parts of `getModuleInfo` that say which modules import another. */
type Graph = { getModuleInfo: (id: string) => { importers: readonly string[] } | null };

/** With the helpers to which the build writes newer syntax: every page needs them, and no other file. */
const FRAMEWORK = /\/node_modules\/(react|react-dom|scheduler)\/|@oxc-project.runtime/;
/** The desk's client router. */
const ROUTER = /\/node_modules\/react-router\//;
const TEXTS = /virtual:(texts)\/(\w+)\/(\w+)$/;
/**
 * What every page with scripts loads, and the first step, where most visitors load scripts first; most others share it.
 */
const FRAME = /\/src\/(entry\.client|features\/visa\/nationality)\.tsx/;

const only = (name: string, isIn: (id: string, graph: Graph) => boolean) => ({
  name: (id: string, graph: Graph) => (isIn(id, graph) ? name : null),
});

/**
 * The browser files into which modules are grouped; the first matching group gets a module with its dependencies. By
 * default the bundler makes a file of every module that two pages share: the first step would load sixty, each
 * compressed separately, and the list of dependencies would weigh as much as a page.
 */
export const chunks = [
  only('framework', (id) => FRAMEWORK.test(id)),
  only('router', (id) => ROUTER.test(id)),
  only('frame', (id, graph) => isNeededBy(FRAME, id, graph)),
];

/** Files with texts are named after them. */
export function chunkFileNames({ facadeModuleId }: { facadeModuleId: string | null }): string {
  const texts = TEXTS.exec(facadeModuleId ?? '')
    ?.slice(1)
    .join('-');
  return `assets/${texts ?? '[name]'}-[hash].js`;
}

/** Whether one of these imports a module, directly or not, except by dynamic imports. */
function isNeededBy(wanted: RegExp, id: string, graph: Graph): boolean {
  const seen = new Set([id]);
  for (const one of seen) {
    if (wanted.test(one)) return true;
    for (const importer of graph.getModuleInfo(one)?.importers ?? []) seen.add(importer);
  }
  return false;
}
