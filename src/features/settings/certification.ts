/** A claim about the service that a third party can confirm. It is not shown without evidence. */
export type Certification = {
  name: string;
  number: string;
  issuer: string;
  /** The last day on which it is valid, YYYY-MM-DD. */
  validUntil: string;
  /** The address of the proof, an `https:` one. */
  evidence: string;
};

/** Whether it is valid: through its last day, in UTC. */
export const isValidOn = ({ validUntil }: Certification, at: Date): boolean =>
  at.toISOString().slice(0, 10) <= validUntil;
