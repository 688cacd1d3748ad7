const day = (fromToday: number) =>
  new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10);

/** The body sent by a traveller from South Africa: 94.00 in all. */
export function application() {
  return {
    firstName: 'Thabo',
    lastName: 'Naidoo',
    email: 'thabo@traveller.example',
    phone: '+27 82 123 4567',
    passportNumber: `A${Math.floor(Math.random() * 1e8)}`,
    passportIssueDate: '2023-01-11',
    passportExpiryDate: day(2000),
    dateOfBirth: '1984-05-02',
    placeOfBirth: 'Durban',
    motherName: 'Nomsa Naidoo',
    fatherName: 'Sipho Naidoo',
    address: '12 Marine Parade, Durban 4001',
    arrivalDate: day(60),
    processingType: 'standard',
    documentType: 'ordinary',
    supportingDocumentNumber: null,
    supportingDocumentStartDate: null,
    supportingDocumentEndDate: null,
    countryId: 'ZAF',
    countryOfOrigin: 'South Africa',
    totalAmount: '94.00',
  };
}
