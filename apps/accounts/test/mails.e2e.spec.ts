import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { eventually } from '@trestle/testing/eventually'
import { SMTPServer } from 'smtp-server'
import { AccountsDatabase } from '../src/database.module.js'
import type { AccountsEnv } from '../src/env.js'
import { MailRefused } from '../src/mail/mail.js'
import { MailsService } from '../src/mail/mails.service.js'
import { SmtpClient } from '../src/mail/smtp.client.js'
import { ENV } from '../src/settings.module.js'
import { type AccountsUnderTest, PASSWORD, SOON_MS, startTestAccounts } from './accounts.js'

interface Received {
  from: string
  to: string[]
  message: string
}

describe('mails', () => {
  let server: Awaited<ReturnType<typeof startSmtpServer>>
  let accounts: AccountsUnderTest
  let admin: string
  beforeAll(async () => {
    server = await startSmtpServer()
    accounts = await startTestAccounts({
      MAIL_TRANSPORT: 'smtp',
      SMTP_URL: server.url,
      MAIL_FROM: 'no-reply@trestle.example',
      ADMINISTRATORS: 'Root@example.org',
    })
    await accounts.register('root@example.org')
    const [mail] = await receivedFor('root@example.org')
    await accounts.call('PUT', `/users/root@example.org/token/${tokenIn(mail)}`)
    admin = await accounts.signIn('root@example.org', PASSWORD)
  })
  afterAll(async () => {
    await accounts.stop()
    await server.close()
  })
  afterEach(() => {
    server.refuse = () => undefined
    accounts.setClockAhead(0)
  })

  const tokenIn = (mail: Received | undefined) => /^ {2}(\S{36})\r?$/m.exec(mail?.message ?? '')?.[1]
  const receivedFor = (to: string, count = 1) =>
    eventually(
      async () => {
        const found = server.received.filter((mail) => mail.to.includes(to))
        return found.length >= count ? found : undefined
      },
      `${count} mail(s) for ${to}`,
      SOON_MS,
    )
  const stored = async (recipient: string) => (await accounts.sql.query('SELECT * FROM mail WHERE recipient = $1', [recipient])).rows[0]
  const becomes = (recipient: string, condition: (row: Record<string, unknown>) => boolean) =>
    eventually(
      async () => {
        const row = await stored(recipient)
        return row && condition(row) ? row : undefined
      },
      `the mail to ${recipient} gets there`,
      SOON_MS,
    )
  const resend = (id: string) => accounts.call('POST', `/mails/${id}/resend`, { token: admin })

  it('are sent to one recipient with a Message-ID of ours, and their text is erased', async () => {
    await accounts.register('Ada.L+x@münchen.example')
    // The server shows a domain in Unicode; the mail itself has it in punycode.
    const [mail] = await receivedFor('Ada.L+x@münchen.example')
    expect(mail).toMatchObject({ from: 'no-reply@trestle.example', to: ['Ada.L+x@münchen.example'] })
    expect(mail?.message).toMatch(/^To: Ada\.L\+x@xn--mnchen-3ya\.example\r$/m)
    const row = await becomes('Ada.L+x@münchen.example', ({ state }) => state === 'sent')
    expect(row).toMatchObject({ text_sealed: null, attempts: 1, last_error: null, sent_at: expect.any(Date) })
    expect(mail?.message).toContain(`Message-ID: <${row.id}@trestle.example>`)
    expect(mail?.message).toContain('Auto-Submitted: auto-generated')
    expect(mail?.message).toMatch(/^From: Trestle <no-reply@trestle\.example>\r$/m)
  })

  it('of a transaction that is rolled back are never sent', async () => {
    const app = accounts.service.app
    await expect(
      app.get(AccountsDatabase).$transaction(async (tx) => {
        await app.get(MailsService, { strict: false }).send(tx, { to: 'nobody@example.org', subject: 'Never', text: 'never' })
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    await accounts.register('after@example.org')
    await receivedFor('after@example.org')
    expect(server.received.filter(({ to }) => to.includes('nobody@example.org'))).toEqual([])
  })

  it('never name a second recipient, whatever slipped through before', async () => {
    const app = accounts.service.app
    const to = 'slipped@example.org\r\nBcc: eve@example.org'
    await app
      .get(MailsService, { strict: false })
      .send(app.get(AccountsDatabase), { to, subject: 'Hello\r\nBcc: eve@example.org', text: 'hello' })
    await becomes(to, ({ attempts, leased_until }) => attempts === 1 && leased_until === null)
    const subject = 'Hello\r\nBcc: eve@example.org'
    await app.get(MailsService, { strict: false }).send(app.get(AccountsDatabase), { to: 'subject@example.org', subject, text: 'hello' })
    const [mail] = await receivedFor('subject@example.org')
    expect(mail?.to).toEqual(['subject@example.org'])
    expect(mail?.message).not.toMatch(/^bcc:/im)
    expect(server.received.flatMap((one) => one.to)).not.toContain('eve@example.org')
  })

  it('that the server defers are tried again later, and arrive once', async () => {
    server.refuse = () => 451
    await accounts.register('later@example.org')
    const row = await becomes('later@example.org', ({ attempts, leased_until }) => attempts === 1 && leased_until === null)
    expect(row).toMatchObject({ state: 'queued', last_error: expect.stringContaining('451') })
    expect(row.next_attempt_at - row.created_at).toBeGreaterThanOrEqual(60_000)

    accounts.setClockAhead(61_000)
    await becomes('later@example.org', ({ attempts, leased_until }) => attempts === 2 && leased_until === null)
    server.refuse = () => undefined
    accounts.setClockAhead(61_000 + 121_000)
    await becomes('later@example.org', ({ state }) => state === 'sent')
    expect(await receivedFor('later@example.org')).toHaveLength(1)
  })

  it('that nobody accepts within a day have failed', async () => {
    server.refuse = () => 451
    await accounts.register('never@example.org')
    await becomes('never@example.org', ({ attempts, leased_until }) => attempts === 1 && leased_until === null)
    accounts.setClockAhead(24 * 3600_000)
    await becomes('never@example.org', ({ state }) => state === 'failed')
  })

  it('that the server refuses have failed; an administrator sees and resends them', async () => {
    server.refuse = () => 550
    await accounts.register('refused@example.org')
    const row = await becomes('refused@example.org', ({ state }) => state === 'failed')
    const { status, body } = await accounts.call('GET', '/mails?state=failed', { token: admin })
    expect(status).toBe(200)
    expect(body.find(({ id }: { id: string }) => id === row.id)).toEqual({
      id: row.id,
      recipient: 'refused@example.org',
      subject: 'Verify your e-mail address',
      state: 'failed',
      attempts: 1,
      lastError: expect.stringContaining('550'),
      createdAt: row.created_at.toISOString(),
    })
    expect(JSON.stringify(body)).not.toContain('token/')

    server.refuse = () => undefined
    expect((await resend(row.id)).body).toMatchObject({ id: row.id, state: 'queued' })
    expect(await receivedFor('refused@example.org')).toHaveLength(1)
    await becomes('refused@example.org', ({ state }) => state === 'sent')
    const again = await resend(row.id)
    expect([again.status, again.body.code]).toEqual([409, 'MailErased'])
    const unknown = await resend('mail-1')
    expect([unknown.status, unknown.body.code]).toEqual([404, 'UnknownMail'])
  })

  it('stay queued while the server refuses our credentials, which is not about the mail', async () => {
    const env = { ...accounts.service.app.get<AccountsEnv>(ENV, { strict: false }), SMTP_URL: server.url.replace('//', '//user:wrong@') }
    const error = await new SmtpClient(env)
      .deliver({ id: 'mail-1', recipient: 'a@b.test', subject: 'x', text: 'x' })
      .catch((caught) => caught)
    expect(error).toMatchObject({ responseCode: 535 })
    expect(error).not.toBeInstanceOf(MailRefused)
  })

  it('wait for a server that does not answer', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const other = await startTestAccounts({
      MAIL_TRANSPORT: 'smtp',
      SMTP_URL: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    })
    await other.register('waiting@example.org')
    const row = await eventually(
      async () => {
        const { rows } = await other.sql.query('SELECT * FROM mail WHERE last_error IS NOT NULL')
        return rows[0]
      },
      'the attempt is given up',
      SOON_MS,
    )
    expect(row).toMatchObject({ state: 'queued', attempts: 1, last_error: expect.stringMatching(/timeout|greeting/i) })
    await other.stop()
    silent.close()
  })

  it('arrive under one Message-ID when they arrive twice', async () => {
    server.refuse = () => 'hang up'
    await accounts.register('twice@example.org')
    await becomes('twice@example.org', ({ attempts, leased_until }) => attempts === 1 && leased_until === null)
    server.refuse = () => undefined
    accounts.setClockAhead(61_000)
    const mails = await receivedFor('twice@example.org', 2)
    const ids = mails.map(({ message }) => /^Message-ID: (.*)$/m.exec(message)?.[1])
    expect(ids[0]).toEqual(ids[1])
  })

  it('are sent once by several replicas', async () => {
    const replicas = await Promise.all([accounts.replica(), accounts.replica()])
    const app = accounts.service.app
    const recipients = Array.from({ length: 60 }, (_, index) => `crowd-${index}@example.org`)
    await app.get(AccountsDatabase).$transaction(async (tx) => {
      for (const to of recipients) await app.get(MailsService, { strict: false }).send(tx, { to, subject: 'Crowd', text: 'hello' })
    })
    await eventually(
      async () => {
        const { rowCount } = await accounts.sql.query("SELECT FROM mail WHERE subject = 'Crowd' AND state = 'sent'")
        return rowCount === 60 || undefined
      },
      'all are sent',
      SOON_MS,
    )
    const arrived = server.received.flatMap(({ to }) => to).filter((to) => to.startsWith('crowd-'))
    expect(arrived.toSorted()).toEqual(recipients.toSorted())
    await Promise.all(replicas.map((replica) => replica.stop()))
  })
})

/** An SMTP server that can be told to refuse. */
async function startSmtpServer() {
  const state = {
    received: [] as Received[],
    refuse: (_to: string): number | 'hang up' | undefined => undefined,
    url: '',
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, answer) => answer(new Error('Invalid username or password')),
    onRcptTo({ address }, _session, answer) {
      const code = state.refuse(address)
      if (typeof code === 'number') answer(Object.assign(new Error('not now'), { responseCode: code }))
      else answer()
    },
    async onData(stream, session, answer) {
      const message = await readText(stream)
      const { mailFrom, rcptTo } = session.envelope
      state.received.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), message })
      // The mail has arrived, but the sender never hears of it.
      if (state.refuse('') === 'hang up') answer(Object.assign(new Error('closing'), { responseCode: 421 }))
      else answer()
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  state.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return state
}
