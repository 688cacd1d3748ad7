import { LONGEST_PASSWORD, SHORTEST_PASSWORD, type PasswordProblem } from '../password-rules.ts';

const PRODUCT = 'lale';

/** Of an e-mail address, shorter names would forbid too much: "al" is part of many words. */
const LEAST_NAME = 4;

/** What guessers try first where Turkish is spoken; the lists of the package are English. */
const LOCAL_WORDS = ['parola', 'şifre', 'sifre', 'merhaba', 'türkiye', 'turkiye', 'istanbul'];

/** Long and unpredictable by its words, and printed in every text about passwords. */
const FAMOUS = ['correcthorsebattery'];

/** So many characters have to be left once the person's own names are taken out. */
const LEAST_OWN = 8;

/** Of zxcvbn's five steps (0 to 4): 3 takes at least 10^8 guesses. Ours are limited and the hash is memory-hard. */
const LEAST_SCORE = 3;

/** The estimate of a long text takes long; these many characters have to be strong by themselves. */
const ESTIMATED = 64;

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

type Estimate = (password: string, own: string[]) => number;
let loading: Promise<Estimate> | undefined;

/** The lists of common and breached passwords, names and words take some 40 MB: loaded when first asked for. */
async function loadEstimate(): Promise<Estimate> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary, local: [PRODUCT, ...LOCAL_WORDS] },
    graphs: common.adjacencyGraphs,
  });
  return (password, own) => zxcvbn.check(password, own).score;
}

/**
 * What speaks against a new password: its length, the product's name or the person's address in it, or that it is
 * common, breached, or quickly guessed. For every way to choose one: invitation, change, reset, first administrator.
 */
export async function passwordProblem(
  password: string,
  { email, name }: { email: string; name: string },
): Promise<PasswordProblem | null> {
  const typed = fold(password);
  const length = Array.from(typed).length;
  if (length < SHORTEST_PASSWORD) return 'too_short';
  if (length > LONGEST_PASSWORD) return 'too_long';
  const address = fold(email);
  const [local = ''] = address.split('@');
  const forbidden = [PRODUCT, address, ...(local.length < LEAST_NAME ? [] : [local])];
  if (forbidden.some((word) => word !== '' && typed.includes(word))) return 'personal';
  const squeezed = typed.replace(/[^\p{L}\p{N}]/gu, '');
  if (FAMOUS.some((phrase) => squeezed.includes(phrase))) return 'guessable';
  const own = [...address.split(/[@.+_-]/), ...fold(name).split(/\s+/)].filter(
    (word) => word.length > 2,
  );
  const left = own
    .sort((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.replaceAll(word, ''), typed);
  if (Array.from(left).length < LEAST_OWN) return 'guessable';
  const estimate = await (loading ??= loadEstimate());
  const score = estimate(Array.from(password.normalize('NFKC')).slice(0, ESTIMATED).join(''), own);
  return score < LEAST_SCORE ? 'guessable' : null;
}
