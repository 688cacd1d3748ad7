import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MAX_PDF_BYTES } from './pdf-rules.ts';
import { checkPdf } from './pdf.server.ts';

type Part = string | { dictionary: string; content: Buffer };

/** A small PDF of the given objects; readers forgive that the cross-reference table is wrong. */
function pdf(parts: readonly Part[], tail = 'startxref\n0\n%%EOF\n'): Buffer {
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
  pieces.push(Buffer.from(`trailer << /Root 1 0 R >>\n${tail}`));
  return Buffer.concat(pieces);
}

const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const page = '<< /Type /Pages /Kids [] /Count 0 >>';
const packed = (text: string, dictionary = '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode') => ({
  dictionary,
  content: deflateSync(Buffer.from(text)),
});

const verdict = async (bytes: Uint8Array) => {
  const outcome = await checkPdf(bytes);
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
    expect(await verdict(bytes)).toBe('ok');
  });

  test.each<[string, Buffer]>([
    ['opens at a page', pdf(['<< /OpenAction [2 0 R /XYZ null null 0] >>', page])],
    ['goes to a page by a reference', pdf(['<< /OpenAction 2 0 R >>', '[3 0 R /Fit]'])],
    ['goes there by an action', pdf(['<< /OpenAction << /S /GoTo /D [3 0 R /Fit] >> >>'])],
    ['links to the web', pdf([catalog, '<< /S /URI /URI (https://www.evisa.gov.tr/) >>'])],
    ['links to an e-mail address', pdf([catalog, '<< /S/URI/URI(mailto:help@lale.example) >>'])],
    ['was changed and stays harmless', Buffer.concat([pdf([catalog]), pdf([page]).subarray(10)])],
  ])('%s', async (_, bytes) => {
    expect(await verdict(bytes)).toBe('ok');
  });

  test('whatever packed bytes hold by chance', async () => {
    // Short names turn up in compressed data; alone they mean nothing.
    const content = deflateSync(Buffer.from('BT (Visa) Tj ET /AA /EF /JS'), { level: 0 });
    expect(await verdict(pdf([catalog, { dictionary: '/Filter /FlateDecode', content }]))).toBe(
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
    expect(await verdict(filler(MAX_PDF_BYTES - small.length))).toBe('ok');
    expect(await verdict(filler(MAX_PDF_BYTES - small.length + 1))).toBe('too_large');
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
    expect(await verdict(bytes)).toBe('wrong_type');
  });
});

describe('a broken PDF', () => {
  test.each<[string, Buffer]>([
    ['cut short', pdf([catalog, page]).subarray(0, 60)],
    ['without an end mark', pdf([catalog], 'startxref\n0\n')],
    ['without a table', pdf([catalog], '%%EOF')],
    ['with two kilobytes after its end', Buffer.concat([pdf([catalog]), Buffer.alloc(2048, 0x20)])],
  ])('%s', async (_, bytes) => {
    expect(await verdict(bytes)).toBe('broken');
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
    expect(await verdict(bytes)).toBe('unsafe');
  });

  test('a small file that unpacks to a lot is told soon', async () => {
    const bomb = pdf(
      Array.from({ length: 40 }, () => packed(' '.repeat(4 * 1024 * 1024), '/Filter /FlateDecode')),
    );
    const before = performance.now();
    expect(await verdict(bomb)).toBe('unsafe');
    // Unpacked whole it would be minutes; a busy machine takes a few seconds for a part.
    expect(performance.now() - before).toBeLessThan(10_000);
  });
});
