import { randomUUID } from 'node:crypto'
import type { PayloadOf } from '@trestle/contracts/message'
import { validatorUpdateRequested } from '@trestle/contracts/staking/messages'
import { type AccountsUnderTest, PASSWORD, startTestAccounts } from './accounts.js'

describe('a user is mailed', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts()
  })
  afterAll(() => accounts.stop())

  const signInFrom = async (email: string, from: string, password = PASSWORD) =>
    (await accounts.call('POST', '/auth', { basic: `${email}:${password}`, from })).status
  /** As staking publishes it. */
  const report = (payload: PayloadOf<typeof validatorUpdateRequested>) => {
    const { subject, stream } = validatorUpdateRequested
    return accounts.staking.streams.publish({ id: randomUUID(), subject, stream, body: JSON.stringify(payload), headers: {} })
  }
  const subjects = async (email: string) => {
    const { rows } = await accounts.sql.query('SELECT subject FROM mail WHERE recipient = $1 ORDER BY created_at', [email])
    return rows.map(({ subject }) => subject)
  }

  it('when a client key is created, with nothing that was typed', async () => {
    const { email, token } = await accounts.createUser()
    const { body } = await accounts.call('POST', '/users/me/client-keys', {
      token,
      body: { name: 'Free at evil.example', scopes: ['nodes'] },
    })
    const [mail] = await accounts.mailed(email, 2)
    expect(mail?.subject).toBe('A new client key for your account')
    expect(mail?.text).toContain(body.clientId)
    expect(mail?.text).toContain('nodes')
    expect(mail?.text).not.toContain('evil.example')
    expect(mail?.text).not.toContain(body.clientSecret)
  })

  it.each([
    ['exit', 'A validator of yours is to exit'],
    ['fee-address', 'The fee address of a validator of yours was changed'],
  ] as const)('once when staking reports a request: %s', async (change, subject) => {
    const { id, email } = await accounts.createUser()
    const pubkey = 'ab'.repeat(48)
    const payload = { userId: id, chain: 'eth', pubkey, change, requestedAt: new Date().toISOString() }
    await report(payload)
    await report(payload)
    await report({ ...payload, requestedAt: new Date(Date.now() + 1).toISOString() })
    const [mail] = await accounts.mailed(email, 3)
    expect(mail).toMatchObject({ subject, text: expect.stringContaining(`0x${pubkey}`) })
    expect(await subjects(email)).toEqual(['Verify your e-mail address', subject, subject])
  })

  it('about no more than fifty changes of validators a day, whatever staking reports', async () => {
    const { id, email } = await accounts.createUser()
    const reports = Array.from({ length: 60 }, (_, i) => {
      const pubkey = i.toString(16).padStart(96, '0')
      return report({ userId: id, chain: 'eth', pubkey, change: 'exit', requestedAt: new Date().toISOString() })
    })
    await Promise.all(reports)
    // The verification is the first of them.
    await accounts.mailed(email, 51)
    const last = await accounts.createUser()
    await report({ userId: last.id, chain: 'eth', pubkey: 'cd'.repeat(48), change: 'exit', requestedAt: new Date().toISOString() })
    await accounts.mailed(last.email, 2)
    expect(await subjects(email)).toHaveLength(51)
  })

  it('once when somebody signs in from a new network, and not for a wrong password', async () => {
    const { email } = await accounts.createUser()
    expect(await subjects(email)).toEqual(['Verify your e-mail address'])
    expect(await signInFrom(email, '198.51.100.7', 'not the password of anybody')).toBe(401)
    expect(await signInFrom(email, '198.51.100.7')).toBe(200)
    expect(await signInFrom(email, '198.51.100.7')).toBe(200)
    const [mail] = await accounts.mailed(email, 2)
    expect(mail).toMatchObject({ subject: 'Sign-in from a new network', text: expect.stringContaining('198.51.100.7') })
    expect(await subjects(email)).toEqual(['Verify your e-mail address', 'Sign-in from a new network'])
  })
})
