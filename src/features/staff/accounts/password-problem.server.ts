import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type PasswordProblem } from '../passwords.ts';

const PRODUCT = 'lale';

/** Shortest name in an email address that counts: "al" is part of many words. */
const MIN_NAME_LENGTH = 4;

/** Words guessed first where Turkish is spoken; the package's lists are English. */
const LOCAL_WORDS = ['parola', 'şifre', 'sifre', 'merhaba', 'türkiye', 'turkiye', 'istanbul'];

/** Long and unpredictable by its words, but published in texts about passwords. */
const FAMOUS = ['correcthorsebattery'];

/** Characters that must remain without the person's own names. */
const MIN_OWN_LENGTH = 8;

/** Of zxcvbn's scores 0 to 4: 3 means at least 10^8 guesses. Tries are limited, and the hash is memory-hard. */
const MIN_SCORE = 3;

/** Characters that are estimated, as long texts take long; these must be strong by themselves. */
const ESTIMATED = 64;

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

type Estimate = (password: string, own: string[]) => number;
let loading: Promise<Estimate> | undefined;

/**
 * The lists of common and breached passwords, names and words take some 40 MB, so they are loaded when first needed.
 */
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
 * What is wrong with a new password: its length, the product's name or the person's address in it, or that it is
 * common, breached, or easily guessed. Used wherever one is chosen: invitation, change, reset, first administrator.
 */
export async function passwordProblem(
  password: string,
  { email, name }: { email: string; name: string },
): Promise<PasswordProblem | null> {
  const typed = fold(password);
  const length = Array.from(typed).length;
  if (length < MIN_PASSWORD_LENGTH) return 'too_short';
  if (length > MAX_PASSWORD_LENGTH) return 'too_long';
  const address = fold(email);
  const [local = ''] = address.split('@');
  const forbidden = [PRODUCT, address, ...(local.length < MIN_NAME_LENGTH ? [] : [local])];
  if (forbidden.some((word) => word !== '' && typed.includes(word))) return 'personal';
  const squeezed = typed.replace(/[^\p{L}\p{N}]/gu, '');
  if (FAMOUS.some((phrase) => squeezed.includes(phrase))) return 'guessable';
  const own = [...address.split(/[@.+_-]/), ...fold(name).split(/\s+/)].filter(
    (word) => word.length > 2,
  );
  const left = own
    .sort((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.replaceAll(word, ''), typed);
  if (Array.from(left).length < MIN_OWN_LENGTH) return 'guessable';
  const estimate = await (loading ??= loadEstimate());
  const score = estimate(Array.from(password.normalize('NFKC')).slice(0, ESTIMATED).join(''), own);
  return score < MIN_SCORE ? 'guessable' : null;
}
