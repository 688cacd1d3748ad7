/** A partner that could not be asked about our account, and why: the code of an error, a status, or the call that failed. */
export type NoAnswer = { noAnswer: string };
