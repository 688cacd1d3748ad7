import { z } from 'zod';
import { valuesInForce, type Settings } from './change.ts';

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

const certification = z.object({
  name: z.string().min(1),
  number: z.string().min(1),
  issuer: z.string().min(1),
  validUntil: z.iso.date(),
  evidence: z.url({ protocol: /^https$/ }),
});

/** Null for one that was removed. */
export const certificationValue = certification.nullable();

type StoredCertification = Certification & { id: string };

/** The certifications at a moment, expired ones included, so that administrators see what to renew. */
export const certificationsInForce = (settings: Settings, at: Date): StoredCertification[] =>
  Object.entries(valuesInForce(settings, 'certifications', at)).flatMap(([id, value]) => {
    const read = certificationValue.parse(value);
    return read ? [{ ...read, id }] : [];
  });

/** Those that the site may show: with evidence, and not expired. */
export const shownCertifications = (settings: Settings, at: Date): Certification[] =>
  certificationsInForce(settings, at)
    .filter((one) => isValidOn(one, at))
    .map(({ id: _, ...one }) => one);
