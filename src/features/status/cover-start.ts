/** Cover begins with the first insured day in Türkiye, three hours ahead of UTC all year. */
export const coverStart = ({ startsOn }: { startsOn: string }): Date =>
  new Date(`${startsOn}T00:00:00+03:00`);
