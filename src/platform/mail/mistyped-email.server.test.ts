import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmailAddress } from '~/base/email-address.ts';
import { meantEmail } from './mistyped-email.server.ts';

describe('meantEmail', () => {
  it.each([
    ['anna@gmial.com', 'anna@gmail.com'],
    ['anna@gmail.con', 'anna@gmail.com'],
    ['anna@gmail.co', 'anna@gmail.com'],
    ['anna@gmail.cm', 'anna@gmail.com'],
    ['anna@gmal.con', 'anna@gmail.com'],
    ['Anna.B+x@GMAI.COM', 'Anna.B+x@gmail.com'],
    ['anna@hotnail.com', 'anna@hotmail.com'],
    ['anna@htomail.com', 'anna@hotmail.com'],
    ['anna@yaho.com', 'anna@yahoo.com'],
    ['anna@outlok.com', 'anna@outlook.com'],
    ['anna@iclud.com', 'anna@icloud.com'],
    ['anna@yandex.comtr', 'anna@yandex.com.tr'],
    ['anna@firma.con', 'anna@firma.com'],
    ['anna@posta.firma.nte', 'anna@posta.firma.net'],
    ['alı@gmail.com', 'ali@gmail.com'],
    ['YASİN@GMAIL.COM', 'YASIN@gmail.com'],
    ['josé.núñez@hotmail.es', 'jose.nunez@hotmail.es'],
    ['alı@gmaıl.com', 'ali@gmail.com'],
    ['çağrı@gmial.com', 'cagri@gmail.com'],
  ])('takes %s for %s', (typed, instead) => {
    expect(meantEmail(typed)).toBe(instead);
  });

  it.each(
    (
      'gmail.com googlemail.com hotmail.com outlook.com yahoo.com icloud.com mail.com email.com ymail.com me.com mac.com ' +
      'msn.com live.com aol.com gmx.de gmx.net gmx.at web.de t-online.de bt.com qq.com 163.com 126.com cox.net mail.ru bk.ru ' +
      'list.ru inbox.ru yandex.ru yandex.com yandex.com.tr mynet.com proton.me protonmail.com hotmail.co.uk yahoo.co.uk ' +
      'yahoo.com.tr outlook.com.tr live.co.za telkomsa.net firma.com.tr uni.edu.tr lale.example example.org startup.io foo.cm ' +
      'orange.fr wanadoo.fr laposte.net free.fr sfr.fr libero.it seznam.cz wp.pl naver.com daum.net rediffmail.com ' +
      'windowslive.com gov.tr travel.photography münchen.de'
    ).split(' '),
  )('asks nothing about %s', (domain) => {
    expect(meantEmail(`anna@${domain}`)).toBeNull();
  });

  it.each(['alı@firma.com.tr', 'josé@example.org', '用户@gmail.com', 'øre@gmail.com'])(
    'asks nothing about %s',
    (address) => {
      expect(meantEmail(address)).toBeNull();
    },
  );

  it('keeps what stands before the at sign, and asks nothing about its own answer', () => {
    const local = fc.stringMatching(/^[A-Za-z0-9+'_-]{1,20}$/);
    const domain = fc.oneof(
      fc.domain(),
      fc
        .tuple(
          fc.constantFrom('gmail.com', 'hotmail.com', 'yahoo.com', 'icloud.com'),
          fc.nat(),
          fc.stringMatching(/^[a-z]$/),
        )
        .map(
          ([name, at, letter]) =>
            name.slice(0, at % name.length) + letter + name.slice((at % name.length) + 1),
        ),
    );
    fc.assert(
      fc.property(local, domain, (name, where) => {
        const instead = meantEmail(`${name}@${where}`);
        if (instead === null) return;
        expect(instead.startsWith(`${name}@`)).toBe(true);
        if (isEmailAddress(`${name}@${where}`)) expect(isEmailAddress(instead)).toBe(true);
        expect(meantEmail(instead)).toBeNull();
        expect(instead).not.toBe(`${name}@${where}`);
      }),
    );
  });

  it('asks after every missing, doubled or swapped letter of gmail.com but where that is another provider', () => {
    const real = new Set(['mail.com']);
    for (let at = 0; at < 'gmail'.length; at += 1) {
      const [name, next] = ['gmail'[at] ?? '', 'gmail'[at + 1] ?? ''];
      const missing = `${'gmail'.slice(0, at)}${'gmail'.slice(at + 1)}.com`;
      const doubled = `${'gmail'.slice(0, at)}${name}${'gmail'.slice(at)}.com`;
      const swapped = `${'gmail'.slice(0, at)}${next}${name}${'gmail'.slice(at + 2)}.com`;
      for (const domain of [missing, doubled, swapped]) {
        if (real.has(domain) || domain === 'gmail.com') continue;
        expect([domain, meantEmail(`anna@${domain}`)]).toEqual([domain, 'anna@gmail.com']);
      }
    }
  });
});
