import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MAX_PDF_BYTES } from './pdf-rules.ts';
import { textPdf } from './testing/case-store.server.ts';
import { findFault } from './pdf-worker.server.ts';
import { makePdfReader, readPdf } from './read-pdf.server.ts';

type Part = string | { dictionary: string; content: Buffer };

/** A small PDF of the given objects; readers accept that its cross-reference table is wrong. */
function pdf(parts: readonly Part[], tail = 'startxref\n0\n%%EOF\n', pages = emptyPage): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  parts.forEach((part, index) => {
    const head = `${index + 1} 0 obj\n`;
    if (typeof part === 'string') {
      pieces.push(Buffer.from(`${head}${part}\nendobj\n`, 'latin1'));
      return;
    }
    pieces.push(
      Buffer.from(`${head}<< ${part.dictionary} /Length ${part.content.length} >>\nstream\n`),
    );
    pieces.push(part.content, Buffer.from('\nendstream\nendobj\n'));
  });
  pieces.push(Buffer.from(`${pages}trailer << /Root 1 0 R >>\n${tail}`));
  return Buffer.concat(pieces);
}

const catalog = '<< /Type /Catalog /Pages 90 0 R >>';
const page = '<< /Type /Pages /Kids [] /Count 0 >>';
/** What every catalog here names as its pages: one of them, and empty. */
const emptyPage =
  '90 0 obj\n<< /Type /Pages /Kids [91 0 R] /Count 1 >>\nendobj\n' +
  '91 0 obj\n<< /Type /Page /Parent 90 0 R /MediaBox [0 0 612 792] >>\nendobj\n';
const packed = (text: string, dictionary = '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode') => ({
  dictionary,
  content: deflateSync(Buffer.from(text)),
});

const problemOf = async (bytes: Uint8Array) => {
  const outcome = await readPdf(bytes);
  return outcome.ok ? 'ok' : outcome.error;
};

describe('a PDF that may be sent', () => {
  test('plain, with packed text and packed objects', async () => {
    const bytes = pdf([
      catalog,
      page,
      packed('BT (Visa) Tj ET', '/Filter /FlateDecode'),
      packed('1 0 << /Type /Page >>'),
      { dictionary: '/Filter /DCTDecode', content: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2]) },
    ]);
    expect(await problemOf(bytes)).toBe('ok');
  });

  test.each<[string, Buffer]>([
    ['opens at a page', pdf(['<< /Pages 90 0 R /OpenAction [2 0 R /XYZ null null 0] >>', page])],
    [
      'goes to a page by a reference',
      pdf(['<< /Pages 90 0 R /OpenAction 2 0 R >>', '[3 0 R /Fit]']),
    ],
    [
      'goes there by an action',
      pdf(['<< /Pages 90 0 R /OpenAction << /S /GoTo /D [3 0 R /Fit] >> >>']),
    ],
    ['links to the web', pdf([catalog, '<< /S /URI /URI (https://www.evisa.gov.tr/) >>'])],
    ['links to an e-mail address', pdf([catalog, '<< /S/URI/URI(mailto:help@lale.example) >>'])],
    [
      'was changed and stays harmless',
      Buffer.concat([pdf([catalog]), pdf([catalog, page]).subarray(10)]),
    ],
  ])('%s', async (_, bytes) => {
    expect(await problemOf(bytes)).toBe('ok');
  });

  test('bytes that packed data contain by chance', async () => {
    // Short names occur in compressed data; alone they mean nothing.
    const content = deflateSync(Buffer.from('BT (Visa) Tj ET /AA /EF /JS'), { level: 0 });
    expect(await problemOf(pdf([catalog, { dictionary: '/Filter /FlateDecode', content }]))).toBe(
      'ok',
    );
  });

  test('up to exactly 5 MB, and not a byte more', async () => {
    const small = pdf([catalog]);
    const padded = (size: number) => pdf([catalog, `(${'x'.repeat(size - small.length - 19)})`]);
    const exact = padded(MAX_PDF_BYTES);
    expect(Math.abs(exact.length - MAX_PDF_BYTES)).toBeLessThan(20);
    const filler = (n: number) =>
      Buffer.concat([small.subarray(0, 9), Buffer.alloc(n, 0x20), small.subarray(9)]);
    expect(await problemOf(filler(MAX_PDF_BYTES - small.length))).toBe('ok');
    expect(await problemOf(filler(MAX_PDF_BYTES - small.length + 1))).toBe('too_large');
  });
});

describe('not a PDF', () => {
  test.each<[string, Buffer]>([
    ['an empty file', Buffer.alloc(0)],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>%PDF-1.7 %%EOF')],
    ['a program named like one', Buffer.concat([Buffer.from('MZ'), pdf([catalog])])],
    ['a header of another version', Buffer.from('%PDF-x.y\nstartxref\n0\n%%EOF')],
  ])('%s', async (_, bytes) => {
    expect(await problemOf(bytes)).toBe('wrong_type');
  });
});

describe('a broken PDF', () => {
  test.each<[string, Buffer]>([
    ['cut short', pdf([catalog, page]).subarray(0, 60)],
    ['without an end mark', pdf([catalog], 'startxref\n0\n')],
    ['without a table', pdf([catalog], '%%EOF')],
    ['with two kilobytes after its end', Buffer.concat([pdf([catalog]), Buffer.alloc(2048, 0x20)])],
    [
      'that is a web page as well',
      pdf([catalog], 'startxref\n0\n%%EOF\n<script>alert(1)</script>'),
    ],
    ['that is an archive as well', pdf([catalog], 'startxref\n0\n%%EOF\nPK\x05\x06')],
  ])('%s', async (_, bytes) => {
    expect(await problemOf(bytes)).toBe('broken');
  });
});

describe('a PDF whose page cannot be drawn', () => {
  const pagesOf = (kids: string, node = '<< /Type /Page /Parent 90 0 R /MediaBox [0 0 9 9] >>') =>
    `90 0 obj\n<< /Type /Pages /Kids [${kids}] /Count 1 >>\nendobj\n91 0 obj\n${node}\nendobj\n`;
  const end = 'startxref\n0\n%%EOF\n';
  test.each<[string, Buffer]>([
    ['has no catalog', pdf(['<< /Type /Font >>'], end, '')],
    ['has no pages', pdf([catalog], end, '90 0 obj\n<< /Kids [] /Count 0 >>\nendobj\n')],
    ['has pages that contain themselves', pdf([catalog], end, pagesOf('90 0 R'))],
    ['names a page that is not there', pdf([catalog], end, pagesOf('99 0 R'))],
    ['has something else as its page', pdf([catalog], end, pagesOf('91 0 R', '(page)'))],
  ])('%s', async (_, bytes) => {
    expect(await problemOf(bytes)).toBe('broken');
  });

  const nested = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`;
  test.each<[string, Buffer]>([
    [
      'has a page that is its own parent',
      pdf([catalog], end, pagesOf('91 0 R', '<< /Type /Page /Parent 91 0 R >>')),
    ],
    [
      'says that it has a hundred billion pages',
      pdf([catalog], end, emptyPage.replace('/Count 1', '/Count 100000000000')),
    ],
    ['nests 20,000 arrays', pdf([catalog, nested(20_000)])],
    ['nests dictionaries', pdf([catalog, '<< /A '.repeat(20_000)])],
    ['nests them in a packed object', pdf([catalog, packed(`1 0 ${nested(20_000)}`)])],
  ])('%s', async (_, bytes) => {
    expect(await problemOf(bytes)).toBe('unsafe');
  });

  test('is not one that nests what an honest writer nests', async () => {
    expect(await problemOf(pdf([catalog, nested(50), '<< /Type /Outlines /Count 12 >>']))).toBe(
      'ok',
    );
  });
});

describe('an unsafe PDF', () => {
  const hostile = '<< /S /JavaScript /JS (app.alert(1)) >>';
  test.each<[string, Buffer]>([
    ['runs JavaScript on opening', pdf([`<< /Type /Catalog /OpenAction ${hostile} >>`])],
    ['writes the name with escapes', pdf([hostile.replace('/JavaScript', '/J#61va#53cript')])],
    ['starts a program', pdf([catalog, '<< /S /Launch /F (cmd.exe) >>'])],
    ['carries a file', pdf([catalog, '<< /Names << /EmbeddedFiles 3 0 R >> >>'])],
    ['is encrypted', pdf([catalog], 'trailer << /Encrypt 9 0 R >>\nstartxref\n0\n%%EOF')],
    ['sends a form', pdf([catalog, '<< /S /SubmitForm /F (https://x.example) >>'])],
    ['has a form of the other kind', pdf(['<< /AcroForm << /XFA 3 0 R >> >>'])],
    ['runs a script through a rendition', pdf([catalog, '<< /S /Rendition /JS (x) >>'])],
    ['acts on a page being looked at', pdf([catalog, '<< /Type /Page /AA << /O 4 0 R >> >>'])],
    ['acts so behind a comment', pdf([catalog, '<< /Type /Page /AA%x\n4 0 R >>'])],
    [
      'opens a web page by itself',
      pdf([`<< /OpenAction << /S /URI /URI (https://x.example) >> >>`]),
    ],
    [
      'opens it by a reference',
      pdf(['<< /OpenAction 2 0 R >>', '<< /S /URI /URI (https://x.example) >>']),
    ],
    [
      'opens it by a reference with zeros in front',
      pdf(['<< /OpenAction 02 0 R >>', '<< /S /URI /URI (https://x.example) >>']),
    ],
    ['acts behind more space than is followed', pdf([`<< /AA${' '.repeat(65)}<< /O 4 0 R >> >>`])],
    ['acts behind a long comment', pdf([`<< /AA%${'x'.repeat(300)}\n<< /O 4 0 R >> >>`])],
    ['opens something that is not to be seen', pdf(['<< /OpenAction 9 0 R >>'])],
    [
      'does something after it has gone to a page',
      pdf(['<< /OpenAction << /S /GoTo /D [2 0 R /Fit] /Next 4 0 R >> >>']),
    ],
    ['links to a script', pdf([catalog, '<< /S /URI /URI (javascript:alert(1)) >>'])],
    ['links to a file of the reader', pdf([catalog, '<< /S /URI /URI (file:///etc/passwd) >>'])],
    ['writes a link in digits', pdf([catalog, '<< /S /URI /URI <6A617661> >>'])],
    ['leads into another file', pdf([catalog, '<< /S /GoToR /F (other.pdf) >>'])],
    ['pins a file to a page', pdf([catalog, '<< /Subtype /FileAttachment /FS 4 0 R >>'])],
    ['carries a file without saying so', pdf([catalog, '<< /F (x.exe) /EF << /F 4 0 R >> >>'])],
    ['plays something', pdf([catalog, '<< /Subtype /RichMedia >>'])],
    ['shows bodies with scripts', pdf([catalog, '<< /Subtype /3D /3DD 4 0 R >>'])],
    [
      'was harmless before it was changed',
      Buffer.concat([
        pdf([catalog, page]),
        Buffer.from(`1 0 obj\n<< /OpenAction ${hostile} >>\nendobj\nstartxref\n0\n%%EOF\n`),
      ]),
    ],
    [
      'was changed in a packed object',
      Buffer.concat([
        pdf([catalog, page]),
        pdf([packed('1 0 << /Type /Page /AA << /C 4 0 R >> >>')]).subarray(10),
      ]),
    ],
    [
      'is encrypted, and says so in a packed table',
      pdf([packed('x', '/Type /XRef /Encrypt 9 0 R /Filter /FlateDecode')]),
    ],
    ['packs the action', pdf([catalog, packed(`1 0 ${hostile}`)])],
    [
      'packs it where readers do not look at the type',
      pdf([packed(`1 0 ${hostile}`, '/First 4 /Filter /FlateDecode')]),
    ],
    ['packs it with escapes', pdf([catalog, packed('1 0 << /S /#4aavaScript >>')])],
    [
      'packs it twice',
      pdf([
        packed(
          deflateSync(hostile).toString('latin1'),
          '/Type /ObjStm /Filter [/FlateDecode /FlateDecode]',
        ),
      ]),
    ],
    [
      'packs it in hexadecimal',
      pdf([
        {
          dictionary: '/Type /ObjStm /Filter /ASCIIHexDecode',
          content: Buffer.from(Buffer.from(hostile).toString('hex')),
        },
      ]),
    ],
    [
      'packs it with a predictor',
      pdf([packed('x', '/Type /ObjStm /Filter /FlateDecode /DecodeParms << /Predictor 12 >>')]),
    ],
    [
      'hides the way of packing behind a string',
      pdf([packed('x', '/Filter /LZWDecode /X (obj) /Type /ObjStm /Filter /FlateDecode')]),
    ],
    [
      'hides the way of packing behind a reference',
      pdf([packed('x', '/Type /ObjStm /Filter 9 0 R')]),
    ],
    [
      'names packed objects in a roundabout way',
      pdf([packed('x', '/Type 7 0 R /Filter /FlateDecode'), '/ObjStm']),
    ],
    [
      'unpacks to more than memory should hold',
      pdf([packed(' '.repeat(60 * 1024 * 1024), '/Filter /FlateDecode')]),
    ],
    ['has thousands of streams', pdf([catalog, 'stream\n'.repeat(6000)])],
  ])('%s', async (_, bytes) => {
    expect(await problemOf(bytes)).toBe('unsafe');
  });

  test('a small file that unpacks to a lot is refused soon', async () => {
    const bomb = pdf(
      Array.from({ length: 40 }, () => packed(' '.repeat(4 * 1024 * 1024), '/Filter /FlateDecode')),
    );
    const before = performance.now();
    expect(await problemOf(bomb)).toBe('unsafe');
    // Unpacked completely it would take minutes; a busy machine takes a few seconds for a part.
    expect(performance.now() - before).toBeLessThan(10_000);
  });
});

/** Files that would take a check with unlimited scanning quadratic time. */
const slow: [string, Buffer][] = [
  [
    'streams without objects',
    pdf([catalog, `obj${'x'.repeat(4_000_000)}${'stream\n '.repeat(4_900)}`]),
  ],
  [
    'streams in streams',
    pdf([catalog, `obj ${'x stream\n\x78\x01'.repeat(4_900)}${'y'.repeat(4_000_000)}`]),
  ],
  ['actions on opening', pdf([catalog, '/OpenAction 1 0 R '.repeat(250_000)])],
  ['objects written again and again', pdf(['<< /OpenAction 9 0 R >>', '9 0 obj '.repeat(500_000)])],
  ['names and comments', pdf([catalog, '/AA%\n'.repeat(900_000)])],
  ['names in one long comment', pdf([catalog, '/AA%'.repeat(1_200_000)])],
  ['links', pdf([catalog, '/URI (https://x.example)'.repeat(200_000)])],
  ['digits', pdf(['<< /OpenAction 9 0 R >>', '1'.repeat(4_800_000)])],
  ['digits and space', pdf(['<< /OpenAction 9 0 R >>', `1${' '.repeat(1_000)}`.repeat(4_700)])],
];

describe('a file that wants to keep us busy', () => {
  test.each(slow)('with %s is answered soon, and nobody else waits meanwhile', async (_, bytes) => {
    let worst = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      worst = Math.max(worst, performance.now() - last);
      last = performance.now();
    }, 5);
    const before = process.cpuUsage();
    await problemOf(bytes);
    clearInterval(timer);
    // The thread is ended after five seconds, whatever share of them the machine gave it.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(8_000);
    // On the service's own thread the check took up to 23 seconds.
    expect(worst).toBeLessThan(2_000);
  });

  test('is checked in time that grows with its length alone', () => {
    const took = (bytes: Buffer) => {
      const before = process.cpuUsage();
      findFault(bytes);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    for (const [, bytes] of slow) expect(took(bytes)).toBeLessThan(4_000);
  });

  test('ends its thread alone: the next file is read', async () => {
    const read = makePdfReader({ checkMs: 1, textMs: 1, mostWaiting: 10 });
    const [, bytes] = slow[0] ?? [];
    expect(await read(bytes ?? Buffer.alloc(0))).toEqual({ ok: false, error: 'unsafe' });
    expect(await problemOf(pdf([catalog]))).toBe('ok');
  });

  test('waits with a few others; more are refused as busy', async () => {
    const read = makePdfReader({ checkMs: 5_000, textMs: 5_000, mostWaiting: 2 });
    const outcomes = await Promise.all([1, 2, 3].map(() => read(pdf([catalog]))));
    expect(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.error))).toEqual([
      'ok',
      'ok',
      'busy',
    ]);
  });
});

describe('the text of a PDF', () => {
  test('is read as it stands on its pages', async () => {
    const outcome = await readPdf(textPdf(['Passport No: A01234547', 'Name: THABO NAIDOO']));
    expect(outcome).toMatchObject({ ok: true });
    const text = outcome.ok ? outcome.value.text : null;
    expect(text).toContain('A01234547');
    expect(text).toContain('THABO NAIDOO');
  });

  test('is null where there is none', async () => {
    expect(await readPdf(pdf([catalog]))).toEqual({ ok: true, value: { text: null } });
    expect(await readPdf(textPdf([]))).toEqual({ ok: true, value: { text: null } });
  });
});
