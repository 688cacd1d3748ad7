/** Signals that ask a run to end, with the exit codes that shells give them. */
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Resolves with an exit code once somebody asks the run to end. From then on signals change nothing: it is cleaning up. */
export function stopAsked(): Promise<number> {
  return new Promise((resolve) => {
    for (const [signal, code] of Object.entries(signals)) {
      process.on(signal, () => {
        console.error(`${signal}: cleaning up`);
        resolve(code);
      });
    }
  });
}
