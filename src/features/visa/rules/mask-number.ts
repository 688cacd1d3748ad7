/** A document number as shown on screens and in emails: first and last two characters, "A0•••••47". */
export function maskNumber(number: string): string {
  if (number.length <= 4) return '•'.repeat(number.length);
  return `${number.slice(0, 2)}${'•'.repeat(number.length - 4)}${number.slice(-2)}`;
}
