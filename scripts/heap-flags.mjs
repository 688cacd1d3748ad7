/*
 * Limits how much garbage V8 keeps before it collects it. By default that depends on the machine's memory: on 24 GB its
 * young generation grows to 128 MB, and the old one to four times what is in use. With these flags 5,000 journeys
 * leave 282 MB, constant after the first quarter (`npm run bench -- service`); without any, 200 left 414 MB, and growing.
 * `package.json`, `Dockerfile` and `compose.yaml` repeat the flags, which must be set before the first line runs.
 */
export const heapFlags = ['--max-semi-space-size=16', '--heap-growing-percent=70'];

/*
 * Threads that compress and hash each have an arena of the C library; two arenas for all of them use less memory. What is
 * larger than 1 MB gets pages of its own, which go back to the system with it: by default the first large body that is
 * freed ends that. Also read before the first line runs; `Dockerfile` repeats them, systems without glibc ignore them.
 */
export const allocatorVariables = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' };
