import type { Language } from '../languages.ts';

/** Sunday first, January first, as `Date` counts. */
type CalendarWords = {
  readonly months: readonly string[];
  readonly monthsShort: readonly string[];
  readonly weekdays: readonly string[];
  readonly weekdaysShort: readonly string[];
};

const words = (list: string): readonly string[] => list.split(' ');

const arabicMonths = words(
  'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر',
);
const arabicWeekdays = words('الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت');

/**
 * Written down here instead of asked of `Intl`: server and browser carry different versions of its data ("Sep",
 * "Sept"), and a page must read the same on both.
 */
export const calendarWords: Readonly<Record<Language, CalendarWords>> = {
  en: {
    months: words(
      'January February March April May June July August September October November December',
    ),
    monthsShort: words('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'),
    weekdays: words('Sunday Monday Tuesday Wednesday Thursday Friday Saturday'),
    weekdaysShort: words('Sun Mon Tue Wed Thu Fri Sat'),
  },
  tr: {
    months: words('Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık'),
    monthsShort: words('Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara'),
    weekdays: words('Pazar Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi'),
    weekdaysShort: words('Paz Pzt Sal Çar Per Cum Cmt'),
  },
  fr: {
    months: words(
      'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    ),
    monthsShort: words('janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.'),
    weekdays: words('dimanche lundi mardi mercredi jeudi vendredi samedi'),
    weekdaysShort: words('dim. lun. mar. mer. jeu. ven. sam.'),
  },
  de: {
    months: words(
      'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
    ),
    monthsShort: words('Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.'),
    weekdays: words('Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag'),
    weekdaysShort: words('So. Mo. Di. Mi. Do. Fr. Sa.'),
  },
  es: {
    months: words(
      'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
    ),
    monthsShort: words('ene feb mar abr may jun jul ago sept oct nov dic'),
    weekdays: words('domingo lunes martes miércoles jueves viernes sábado'),
    weekdaysShort: words('dom lun mar mié jue vie sáb'),
  },
  // Arabic has no customary short forms.
  ar: {
    months: arabicMonths,
    monthsShort: arabicMonths,
    weekdays: arabicWeekdays,
    weekdaysShort: arabicWeekdays,
  },
};
