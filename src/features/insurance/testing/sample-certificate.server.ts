import { usd } from '~/base/money.ts';
import { sampleTerms } from '../store/seed.server.ts';
import { makeDate } from '../../../../test/make.ts';
import type { CertificateFacts } from '../certificate/certificate.server.tsx';

/** The certificate of an insurance of thirty days. */
export const sampleCertificate: CertificateFacts = {
  language: 'en',
  number: 'TRI5C9W2TXK8MFJ3',
  planDays: 30,
  firstName: 'Sofía',
  lastName: 'Hernández Ruiz',
  dateOfBirth: makeDate('1991-07-14'),
  nationality: 'Mexico',
  passportNumber: 'G38215640',
  from: makeDate('2026-12-12'),
  until: makeDate('2027-01-10'),
  destination: 'Türkiye',
  premium: usd(189_00),
  paidOn: makeDate('2026-11-19'),
  issuedOn: makeDate('2026-11-19'),
  cancelledOn: null,
  terms: { ...sampleTerms, version: 1 },
  operator: { legalName: 'Operator', address: 'Somewhere 1, Ankara', taxNumber: '0000000000' },
  termsAddress: 'https://lale.example/en/insurance/terms/1',
  verifyAddress: 'https://lale.example/verify/Q7oHq2xBv1p3m8sWcT0ZKg',
};
