import { createHash, randomUUID } from 'node:crypto'
import { type AccountsUnderTest, startTestAccounts } from './accounts.js'

describe('the development mailbox', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts()
  })
  afterAll(() => accounts.stop())

  const page = (query = '') =>
    accounts.call('GET', `/dev/mailbox${query}`, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })

  it('lists the mails as JSON, newest first, of all recipients or of one', async () => {
    await accounts.register('Ada@example.org')
    await accounts.mailed('ada@example.org')
    await accounts.register('eve@example.org')
    await accounts.mailed('eve@example.org')
    const { headers, body } = await accounts.call('GET', '/dev/mailbox')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(body.map(({ to }: { to: string }) => to)).toEqual(['eve@example.org', 'Ada@example.org'])
    expect(body[0]).toEqual({
      id: expect.stringMatching(/^mail-/),
      to: 'eve@example.org',
      subject: 'Verify your e-mail address',
      text: expect.stringMatching(/curl -X PUT http:\/\/127\.0\.0\.1:8080\/accounts\/users\/user-\S+\/token\/\S+/),
      createdAt: expect.stringMatching(/Z$/),
    })
    expect((await accounts.call('GET', '/dev/mailbox?to=ADA@example.org')).body).toHaveLength(1)
    expect((await accounts.call('GET', '/dev/mailbox?limit=1')).body).toHaveLength(1)
    expect((await accounts.call('GET', '/dev/mailbox?limit=0')).body.code).toBe('InvalidInput')
  })

  it('is a page where a browser asks, with nothing that runs', async () => {
    const { status, headers, text } = await page()
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain('<h2>Verify your e-mail address</h2>')
    expect(text).not.toMatch(/<script|\son\w+=|https?:\/\/(?!127)/i)
    const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? ''
    const digest = createHash('sha256').update(style).digest('base64')
    expect(headers.get('content-security-policy')).toContain(`default-src 'none'; style-src 'sha256-${digest}'`)
  })

  it('shows a hostile search as text', async () => {
    const { text } = await page(`?to=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(text).not.toContain('<script')
    expect(text).toContain('No mail to &#34;')
  })

  it('keeps the last 200', async () => {
    await accounts.sql.query(
      "INSERT INTO mailbox SELECT 'mail-' || n, 'old@example.org', 'old', 'old', now() - interval '1 day' FROM generate_series(1, 250) n",
    )
    const email = `${randomUUID()}@example.org`
    await accounts.register(email)
    await accounts.mailed(email)
    expect((await accounts.sql.query('SELECT FROM mailbox')).rowCount).toBe(200)
  })

  it('does not exist where mails are sent', async () => {
    const replica = await accounts.replica({ MAIL_TRANSPORT: 'smtp' })
    const { status } = await fetch(`${replica.url}/dev/mailbox`)
    await replica.stop()
    expect(status).toBe(404)
  })
})
