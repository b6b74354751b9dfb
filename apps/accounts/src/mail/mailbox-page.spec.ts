import fc from 'fast-check'
import { mailboxPage, prefersPage } from './mailbox-page.js'

describe(prefersPage, () => {
  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['application/json;q=0.5, text/html', true],
    ['application/json', false],
    ['application/json, text/html;q=0.5', false],
    ['application/json, text/html', false],
    ['*/*', false],
    [undefined, false],
  ])('answers %s with %s', (accept, page) => {
    expect(prefersPage(accept)).toBe(page)
  })
})

describe(mailboxPage, () => {
  it('shows the content of a mail as text', () => {
    const hostile = fc.array(fc.constantFrom('<script>', '</pre>', '"', "'", '&', '<img src=x onerror=alert(1)>', 'a', '>'), {
      minLength: 1,
    })
    fc.assert(
      fc.property(hostile, (parts) => {
        const text = parts.join('')
        const tags = (page: string) => page.match(/<\/?[a-z!]/gi)?.length
        const mail = { id: 'mail-1', to: 'a@b.test', subject: 'x', text: 'x', createdAt: '2026-01-01T00:00:00.000Z' }
        expect(tags(mailboxPage([{ ...mail, to: text, subject: text, text }], text))).toBe(tags(mailboxPage([mail], '')))
      }),
    )
  })

  it('links a line that is an address, and no other', () => {
    const text = 'see http://a.test/1\nhttps://a.test/2?x=1&y=2\njavascript:alert(1)\nhttp://a.test/" onclick="'
    const page = mailboxPage([{ id: 'mail-1', to: 'a@b.test', subject: 'x', text, createdAt: '2026-01-01T00:00:00.000Z' }], '')
    expect(page.match(/<a [^>]*>/g)).toEqual(['<a href="https://a.test/2?x=1&#38;y=2">'])
  })

  it('says so when there is no mail, and to whom', () => {
    expect(mailboxPage([], undefined)).toContain('No mail yet')
    expect(mailboxPage([], 'a<b@c.test')).toContain('No mail to a&#60;b@c.test yet')
  })
})
