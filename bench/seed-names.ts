/*
 * Names of travellers, frequent ones first: the seed chooses early ones far more often, so that "Mehmet" has tens of
 * thousands of rows and others a few hundred.
 */

export const firstNames =
  'Mehmet Maria Mohammed Ahmed Fatma José Ayşe John Wei Ali Mustafa Anna Carlos Zeynep Aisha Sofía Hüseyin Olga David İbrahim Elif Juan Priya Omar Emine Luis Fatima Ivan Yusuf Ana Hassan Thabo Michael Hatice Chen Elena Pedro Muhammad Sara Murat Nomsa Leila Diego Merve Daniel Yuki Amina Laura Osman Raj Rosa Peter Özge Marta Kofi Emma Çağla Hugo Noah Ines Ömer Zanele Łukasz René Søren Zoë Şükrü Björn Ghislaine Nguyễn Siobhán Đorđe Mpho Ximena محمد فاطمة خالد نورة Tshepo Ngozi Wanjiru Anneliese Bartholomew Xiulan Quetzal'.split(
    ' ',
  );

export const lastNames =
  'Yılmaz Garcia Khan Smith Kaya Singh Wang Demir Silva Nguyen Hernández Ivanova Çelik Ahmed Naidoo Şahin Patel Lopez Öztürk Kim Müller Santos Yıldız Li Rodríguez Aydın Dlamini Arslan Doğan Rossi Haddad Kılıç Ali Petrov Okafor Fernandes Özdemir Tanaka Costa Çetin Novak Adeyemi Mbeki Ortega Moreau Koç Jansen Kurt Al-Masri Özkan Núñez O’Connor Sørensen Kowalski Łukasiewicz García-Márquez Ibrahim Đorđević Ærø Björnsdóttir العلي الحربي Nkosi Mokoena Wanjala Zuma Featherstonehaugh Quispe Ñahui Żółkiewski'.split(
    ' ',
  );

/** Three syllables, one of each list, make tens of thousands of rare last names. */
export const syllables = [
  'Ba Be Bo Da De Do Fa Fe Ga Go Ha Ho Ka Ke Ko Ku La Le Lo Ma Me Mo Na Ne No Pa Pe Ra Ro Sa Se So Ta Te To Va Ve Wa Wi Za'.split(
    ' ',
  ),
  'ba be bi bo da de di do ga go ka ke ki ko la le li lo lu ma me mi mo na ne ni no ra re ri ro sa se si ta te ti to va za'.split(
    ' ',
  ),
  'bek bert cik dal der dze gan gard han ka kov la lin mann mi mov nen ner noff oglu quist ra sen ska ski son ston tan vic wala'.split(
    ' ',
  ),
] as const;

/** Email domains: half of all addresses use the first. */
export const emailDomains =
  'gmail.com gmail.com gmail.com hotmail.com outlook.com yahoo.com icloud.com qq.com mail.ru web.de'.split(
    ' ',
  );

export const countries =
  'ZAF MEX IND CHN PAK PHL EGY BRA NGA VNM BGD KEN LKA NPL IRQ SAU ARE BHR OMN JAM'.split(' ');
