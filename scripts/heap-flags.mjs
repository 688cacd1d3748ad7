/*
 * How much garbage V8 keeps before it collects it. Left alone it takes from the machine's memory, not from what the service
 * needs: on 24 GB its young space grows to 128 MB, and the old one to four times what lives in it. Measured over 200 wizards:
 * 271 MB and flat with these, 414 MB and growing without, for two collections of 35 ms in 100 wizards.
 *
 * `package.json`, `Dockerfile` and `compose.yaml` repeat them: they have to be there before the first line runs.
 */
export const heapFlags = ['--max-semi-space-size=16', '--heap-growing-percent=100'];

/*
 * Threads that compress and hash each keep an arena of the C library; two for all of them hold less. It reads this before
 * the first line runs, too; `Dockerfile` repeats it, systems without glibc ignore it.
 */
export const allocatorVariables = { MALLOC_ARENA_MAX: '2' };
