import { regionNames } from '~/base/intl.ts';
import { searchText } from './search-text.ts';

/**
 * Languages in whose names a country is found: ours, those of most travellers to Türkiye, and others of the scripts
 * that these use.
 */
const languages =
  'ar bg bn cs da de el en es fa fi fr he hi hu id it ja kk ko nb nl pl pt ro ru sr sv th tr uk ur vi zh zh-Hant'.split(
    ' ',
  );

/** Three-letter codes of ISO 3166-1 whose two-letter code is not their beginning, followed by that code. */
const otherRegions =
  'AGOAO ANDAD AREAE ARMAM ATGAG AUTAT BDIBI BENBJ BGDBD BHSBS BIHBA BLRBY BLZBZ BRBBB BRNBN CAFCF CHLCL CHNCN CODCD COGCG COMKM CPVCV DNKDK ESTEE FSMFM GINGN GNBGW GNQGQ GRDGD GUYGY IRLIE IRQIQ ISRIL JAMJM KAZKZ KORKR LBRLR LBYLY MACMO MDGMG MDVMV MEXMX MLTMT MNEME MNPMP MOZMZ PAKPK PLWPW PNGPG POLPL PRKKP PRTPT PRYPY SENSN SLBSB SLVSV SRBRS SURSR SVKSK SVNSI SWESE SWZSZ SYCSC TCDTD TKMTM TUNTN TURTR TUVTV UKRUA URYUY';

const regions = new Map(otherRegions.split(' ').map((pair) => [pair.slice(0, 3), pair.slice(3)]));

/** The region under which browsers know a code's name; British overseas nationals (GBN) have none of their own. */
export const regionOf = (code: string): string | null =>
  code === 'GBN' ? null : (regions.get(code) ?? code.slice(0, 2));

/** Undefined in browsers without names of regions. */
function nameIn(language: string, region: string): string | undefined {
  try {
    return regionNames(language).of(region);
  } catch {
    return undefined;
  }
}

/** What other languages call a country, as search texts without repetition; the names come with the browser. */
export function namesElsewhere(code: string): readonly string[] {
  const region = regionOf(code);
  if (region === null || !/^[A-Z]{2}$/.test(region)) return [];
  const names = languages.flatMap((language) => {
    const name = nameIn(language, region);
    return name === undefined
      ? []
      : [searchText(name), searchText(name.replace(/[(（].*[)）]/, ''))];
  });
  return [...new Set(names)];
}
