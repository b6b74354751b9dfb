import fc from 'fast-check'
import { deliverable, parseEmail, requireEmail } from './email.js'

describe(parseEmail, () => {
  it.each([
    ['ada@example.org', 'ada@example.org'],
    ['Ada.Lovelace+work@Example.ORG', 'ada.lovelace+work@example.org'],
    ["o'brien@example.co.uk", "o'brien@example.co.uk"],
    ['ada@münchen.example', 'ada@xn--mnchen-3ya.example'],
    ['ada@XN--MNCHEN-3YA.example', 'ada@xn--mnchen-3ya.example'],
    ['ada@例え.jp', 'ada@xn--r8jz45g.jp'],
    [`${'a'.repeat(64)}@example.org`, `${'a'.repeat(64)}@example.org`],
  ])('compares %s as %s', (text, canonical) => {
    expect(parseEmail(text)).toEqual({ address: text, canonical })
  })

  it.each([
    '',
    'ada',
    '@example.org',
    'ada@',
    'ada@@example.org',
    'ada@example@org',
    'a@b.test\r\nBcc: evil@x.test',
    'a@b.test\nBcc:x@y.test',
    'a@b.test,c@d.test',
    'a@b.test;c@d.test',
    '"a b"@c.test',
    '"a"@c.test',
    'a b@c.test',
    ' a@c.test',
    'a@c.test ',
    '<a@b.test>',
    'Ada <a@b.test>',
    'a(comment)@b.test',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@0x7f.1',
    'a@2130706433',
    'a@localhost',
    'a@b.test/path',
    'a@b.test:25',
    'a@b.test?x',
    'a@b%2etest.org',
    'a@-b.test',
    'a@b-.test',
    'a@b..test',
    'a@.b.test',
    'a@b.test.',
    '.a@b.test',
    'a.@b.test',
    'a..b@b.test',
    'ä@b.test',
    'a\u0000@b.test',
    `${'a'.repeat(65)}@b.test`,
    `a@${'b'.repeat(64)}.test`,
    `a@${'b.'.repeat(130)}test`,
    'a@b.test\u202e',
  ])('refuses %j', (text) => {
    expect(parseEmail(text)).toBeUndefined()
    expect(() => requireEmail(text)).toThrow(expect.objectContaining({ code: 'InvalidEmail' }))
  })

  it('is stable: the canonical form is its own canonical form', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const canonical = parseEmail(text)?.canonical
        fc.pre(canonical !== undefined)
        expect(parseEmail(canonical!)).toEqual({ address: canonical, canonical })
      }),
    )
  })

  it('accepts nothing that could be read as two addresses or another header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }), (local, domain) => {
        const email = parseEmail(`${local}@${domain}.test`)
        if (email) expect(deliverable(email.address)).toMatch(/^[!-~]+@[a-z0-9.-]+$/)
        if (email) expect(email.address).not.toMatch(/[\s,;:<>()[\]"\\]/)
      }),
      { numRuns: 1000 },
    )
  })
})

describe(deliverable, () => {
  it('keeps the local part as written and gives the domain in punycode', () => {
    expect(deliverable('Ada@MÜNCHEN.example')).toBe('Ada@xn--mnchen-3ya.example')
  })
})
