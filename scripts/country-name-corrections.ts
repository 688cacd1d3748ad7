/**
 * Where names of nationalities differ from the CLDR's: passports that are not the territory's, the two Congos, names in
 * use. English comes from `countries.csv`. `<code>_place` is the place, where it differs from the passport.
 */
type Names = Record<'tr' | 'fr' | 'de' | 'es' | 'ar', string>;

export const corrections: Record<string, Partial<Names>> = {
  BMU: {
    tr: 'Bermuda (BOTC pasaportu)',
    fr: 'Bermudes (passeport BOTC)',
    de: 'Bermuda (BOTC-Pass)',
    es: 'Bermudas (pasaporte BOTC)',
    ar: 'برمودا (جواز سفر BOTC)',
  },
  BRN: { de: 'Brunei' },
  CIV: { tr: 'Fildişi Sahili', de: 'Elfenbeinküste', es: 'Costa de Marfil' },
  CPV: { de: 'Kap Verde' },
  COD: {
    tr: 'Kongo Demokratik Cumhuriyeti',
    fr: 'Congo (République démocratique)',
    de: 'Kongo (Demokratische Republik)',
    es: 'Congo (República Democrática)',
    ar: 'جمهورية الكونغو الديمقراطية',
  },
  COG: {
    tr: 'Kongo Cumhuriyeti',
    fr: 'Congo (République)',
    de: 'Kongo (Republik)',
    es: 'Congo (República)',
    ar: 'جمهورية الكونغو',
  },
  GBN: {
    tr: 'Hong Kong (Britanya Denizaşırı Uyruk pasaportu)',
    fr: 'Hong Kong (passeport British National Overseas)',
    de: 'Hongkong (Pass British National Overseas)',
    es: 'Hong Kong (pasaporte British National Overseas)',
    ar: 'هونغ كونغ (جواز سفر رعايا بريطانيا في الخارج)',
  },
  GBR: {
    tr: 'Birleşik Krallık (Britanya vatandaşı)',
    fr: 'Royaume-Uni (citoyen britannique)',
    de: 'Vereinigtes Königreich (britischer Staatsbürger)',
    es: 'Reino Unido (ciudadano británico)',
    ar: 'المملكة المتحدة (مواطن بريطاني)',
  },
  GUY: { ar: 'غويانا' },
  HKG: {
    tr: 'Hong Kong (HKSAR pasaportu)',
    fr: 'Hong Kong (passeport de la RAS)',
    de: 'Hongkong (SAR-Pass)',
    es: 'Hong Kong (pasaporte de la RAE)',
    ar: 'هونغ كونغ (جواز سفر المنطقة الإدارية الخاصة)',
  },
  HUN: { ar: 'المجر' },
  KNA: { fr: 'Saint-Kitts-et-Nevis' },
  MAC: {
    tr: 'Makao (MSAR pasaportu)',
    fr: 'Macao (passeport de la RAS)',
    de: 'Macau (SAR-Pass)',
    es: 'Macao (pasaporte de la RAE)',
    ar: 'ماكاو (جواز سفر المنطقة الإدارية الخاصة)',
  },
  MDA: { de: 'Moldau' },
  MMR: { tr: 'Myanmar', fr: 'Myanmar', es: 'Myanmar', ar: 'ميانمار' },
  MUS: { fr: 'Île Maurice' },
  PSE: { tr: 'Filistin', fr: 'Palestine', de: 'Palästina', es: 'Palestina', ar: 'فلسطين' },
  SLV: { fr: 'El Salvador' },
  STP: { fr: 'Sao Tomé-et-Principe' },
  TLS: { tr: 'Doğu Timor', de: 'Osttimor', es: 'Timor Oriental', ar: 'تيمور الشرقية' },
  VAT: { fr: 'Vatican', ar: 'الفاتيكان' },
  VCT: { fr: 'Saint-Vincent-et-les-Grenadines' },
  VNM: { fr: 'Vietnam' },
};

/**
 * Names outside the list of nationalities: the destination, the Schengen area, places whose passport has another name.
 */
export const places: Record<string, Names & { en: string }> = {
  TUR: {
    en: 'Türkiye',
    tr: 'Türkiye',
    fr: 'Turquie',
    de: 'Türkei',
    es: 'Turquía',
    ar: 'تركيا',
  },
  SCHENGEN: {
    en: 'Schengen area',
    tr: 'Schengen bölgesi',
    fr: 'Espace Schengen',
    de: 'Schengen-Raum',
    es: 'Espacio Schengen',
    ar: 'منطقة شنغن',
  },
  BMU_place: {
    en: 'Bermuda',
    tr: 'Bermuda',
    fr: 'Bermudes',
    de: 'Bermuda',
    es: 'Bermudas',
    ar: 'برمودا',
  },
  GBR_place: {
    en: 'United Kingdom',
    tr: 'Birleşik Krallık',
    fr: 'Royaume-Uni',
    de: 'Vereinigtes Königreich',
    es: 'Reino Unido',
    ar: 'المملكة المتحدة',
  },
  HKG_place: {
    en: 'Hong Kong',
    tr: 'Hong Kong',
    fr: 'Hong Kong',
    de: 'Hongkong',
    es: 'Hong Kong',
    ar: 'هونغ كونغ',
  },
  MAC_place: {
    en: 'Macao',
    tr: 'Makao',
    fr: 'Macao',
    de: 'Macau',
    es: 'Macao',
    ar: 'ماكاو',
  },
};
