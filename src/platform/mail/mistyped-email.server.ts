import { isEmailAddress, tidyEmail } from '~/base/email-address.ts';

/**
 * Which e-mail address somebody probably meant. Our own list, because the maintained packages take bt.com for qq.com
 * and com.tr for com.tw, and a wrong question makes people doubt the form. It stays on the server; browsers get only
 * the answer.
 */

/** Large mail providers whose names are long enough to be mistyped rather than to be another company's. */
const meant = [
  ['gmail', 'com'],
  ['googlemail', 'com'],
  ['hotmail', 'com'],
  ['outlook', 'com'],
  ['yahoo', 'com'],
  ['icloud', 'com'],
  ['yandex', 'com'],
  ['protonmail', 'com'],
  ['yandex', 'ru'],
  ['yandex', 'com.tr'],
  ['mynet', 'com'],
  ['comcast', 'net'],
  ['verizon', 'net'],
  ['rogers', 'com'],
  ['bigpond', 'com'],
  ['t-online', 'de'],
  ['freenet', 'de'],
  ['orange', 'fr'],
  ['wanadoo', 'fr'],
  ['laposte', 'net'],
  ['libero', 'it'],
  ['virgilio', 'it'],
  ['telefonica', 'net'],
  ['telkomsa', 'net'],
  ['rediffmail', 'com'],
  ['naver', 'com'],
] as const;

/** Real providers whose names differ by one letter from one above: never asked about. */
const others: ReadonlySet<string> = new Set(
  (
    'mail.com email.com ymail.com fmail.com tmail.com gmx.com gmx.net hotmail.co.uk hotmail.fr hotmail.de hotmail.es ' +
    'hotmail.it hotmail.ca hotmail.be hotmail.nl hotmail.com.tr hotmail.com.br hotmail.com.ar hotmail.co.th hotmail.gr ' +
    'outlook.fr outlook.de outlook.es outlook.it outlook.sa outlook.jp outlook.be outlook.com.tr outlook.com.br ' +
    'outlook.com.au yahoo.co.uk yahoo.co.in yahoo.co.id yahoo.co.za yahoo.co.jp yahoo.com.tr yahoo.com.br yahoo.com.ar ' +
    'yahoo.com.mx yahoo.com.au yahoo.com.hk yahoo.com.sg yahoo.com.ph yahoo.com.tw yahoo.ca yahoo.de yahoo.fr yahoo.es ' +
    'yahoo.it yahoo.in yahoo.gr yandex.by yandex.kz yandex.ua wanadoo.es wanadoo.nl orange.es orange.net orange.pl'
  ).split(' '),
);

/** What is written for the commonest endings by mistake; none of them is a top-level domain. */
const endings: Readonly<Record<string, string>> = {
  con: 'com',
  cpm: 'com',
  cmo: 'com',
  ocm: 'com',
  com0: 'com',
  vom: 'com',
  xom: 'com',
  dom: 'com',
  comm: 'com',
  coom: 'com',
  ccom: 'com',
  cim: 'com',
  clm: 'com',
  nte: 'net',
  ent: 'net',
  nett: 'net',
  met: 'net',
  ogr: 'org',
  orgg: 'org',
  rog: 'org',
};

/** One wrong letter in a name of five letters or fewer, two in a longer one. */
const slipsAllowed = (name: string): number => (name.length <= 5 ? 1 : MAX_SLIPS);
const MAX_SLIPS = 2;

/**
 * The address that a mistyped one probably stands for: one slip in the ending, or few in the name, of a large mail
 * provider, letters before the @ that none of these has, or an ending that does not exist. Null where nothing looks mistyped. Never a reason to refuse an address.
 */
export function suggestEmail(address: string): string | null {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  if (at < 1) return null;
  const local = address.slice(0, at);
  const instead = others.has(domain) ? null : (providerMeant(domain) ?? endingMeant(domain));
  const box = plainBox(local, instead ?? domain);
  return instead === null && box === local ? null : `${box}@${instead ?? domain}`;
}

/**
 * A mailbox at a large provider in the letters that its names have there: a Turkish keyboard's ı and İ, and accents, are
 * slips. What has other letters stays as it is.
 */
function plainBox(local: string, domain: string): string {
  if (/^\p{ASCII}*$/u.test(local) || !isLarge(domain)) return local;
  const plain = local
    .replaceAll('ı', 'i')
    .replaceAll('İ', 'I')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  return /^\p{ASCII}+$/u.test(plain) ? plain : local;
}

/** The mailboxes of these have none but ASCII letters. */
const isLarge = (domain: string): boolean =>
  others.has(domain) || meant.some(([name, ending]) => domain === `${name}.${ending}`);

/**
 * What a visitor means, from what was typed and which of the two addresses was chosen when the page asked before
 * ('' for none): the address to go on with, and the one to ask about, null where there is nothing to ask.
 */
export function resolveEmail(typed: string, chosen: string): { email: string; ask: string | null } {
  const address = tidyEmail(typed);
  const instead = isEmailAddress(address) ? suggestEmail(address) : null;
  if (instead === null || chosen === address) return { email: typed, ask: null };
  return chosen === instead ? { email: instead, ask: null } : { email: typed, ask: instead };
}

function providerMeant(domain: string): string | null {
  const dot = domain.indexOf('.');
  if (dot < 0) return null;
  const [name, ending] = [domain.slice(0, dot), domain.slice(dot + 1)];
  const near = meant.flatMap(([itsName, itsEnding]) => {
    const inEnding = endings[ending] === itsEnding ? 1 : countTypos(ending, itsEnding);
    if (inEnding > 1) return [];
    const inName = countTypos(name, itsName);
    const isNear = inName <= slipsAllowed(itsName);
    return isNear ? [{ instead: `${itsName}.${itsEnding}`, far: inName + inEnding }] : [];
  });
  const nearest = near.toSorted((a, b) => a.far - b.far)[0];
  return nearest && nearest.far > 0 ? nearest.instead : null;
}

function endingMeant(domain: string): string | null {
  const dot = domain.lastIndexOf('.');
  const instead = endings[domain.slice(dot + 1)];
  return dot < 0 || instead === undefined ? null : `${domain.slice(0, dot)}.${instead}`;
}

/**
 * Letters that are wrong, missing, too many or swapped with their neighbour (optimal string alignment). Infinite where one
 * is so much longer that there are more than are allowed of any name.
 */
function countTypos(a: string, b: string): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > MAX_SLIPS) return Infinity;
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const above = (up: number, left: number) => rows[i - up]?.[j - left] ?? Infinity;
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          above(1, 0) + 1,
          (row[j - 1] ?? Infinity) + 1,
          above(1, 1) + (isSame ? 0 : 1),
          isSwapped ? above(2, 2) + 1 : Infinity,
        ),
      );
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? Infinity;
}
