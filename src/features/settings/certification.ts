/** A claim about the service that somebody else can vouch for. Without evidence there is none. */
export type Certification = {
  name: string;
  number: string;
  issuer: string;
  /** The last day on which it is valid, YYYY-MM-DD. */
  validUntil: string;
  /** Where anybody can check it: an `https:` address. */
  evidence: string;
};

/** Valid through its last day, as the day is in UTC. */
export const isValidOn = ({ validUntil }: Certification, at: Date): boolean =>
  at.toISOString().slice(0, 10) <= validUntil;
