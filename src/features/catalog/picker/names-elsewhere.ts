import { regionNames } from '~/base/intl.ts';
import { searchText } from './search-text.ts';

/**
 * Languages whose names of countries are understood beside the page's own and English: of our six, of most who travel to
 * Türkiye, and one or more of every script that they write in.
 */
const languages =
  'ar bg bn cs da de el en es fa fi fr he hi hu id it ja kk ko nb nl pl pt ro ru sr sv th tr uk ur vi zh zh-Hant'.split(
    ' ',
  );

/** Codes of ISO 3166-1 with three letters whose two letters are not the first of them, followed by those two. */
const otherRegions =
  'AGOAO ANDAD AREAE ARMAM ATGAG AUTAT BDIBI BENBJ BGDBD BHSBS BIHBA BLRBY BLZBZ BRBBB BRNBN CAFCF CHLCL CHNCN CODCD COGCG COMKM CPVCV DNKDK ESTEE FSMFM GINGN GNBGW GNQGQ GRDGD GUYGY IRLIE IRQIQ ISRIL JAMJM KAZKZ KORKR LBRLR LBYLY MACMO MDGMG MDVMV MEXMX MLTMT MNEME MNPMP MOZMZ PAKPK PLWPW PNGPG POLPL PRKKP PRTPT PRYPY SENSN SLBSB SLVSV SRBRS SURSR SVKSK SVNSI SWESE SWZSZ SYCSC TCDTD TKMTM TUNTN TURTR TUVTV UKRUA URYUY';

const regions = new Map(otherRegions.split(' ').map((pair) => [pair.slice(0, 3), pair.slice(3)]));

/** The region of a code that the browser knows names by; British overseas nationals (GBN) have none of their own. */
export const regionOf = (code: string): string | null =>
  code === 'GBN' ? null : (regions.get(code) ?? code.slice(0, 2));

/** None in browsers that bring no names along. */
function nameIn(language: string, region: string): string | undefined {
  try {
    return regionNames(language).of(region);
  } catch {
    return undefined;
  }
}

/** What a country is called in the languages of the world, as it is searched, each name once; browsers bring them along. */
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
