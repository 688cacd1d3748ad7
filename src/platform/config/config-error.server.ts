/** What `sysexits.h` calls EX_CONFIG: the operator has to change something before a retry helps. */
const CONFIG_EXIT_CODE = 78;

/** The surroundings do not allow a start. The message is meant for the operator and names every mistake. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly exitCode = CONFIG_EXIT_CODE;
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`Cannot start:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`);
    this.mistakes = mistakes;
  }
}
