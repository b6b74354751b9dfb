import { hotp, stepAt } from '../src/second-factors/totp.js'
import { type AccountsUnderTest, type HttpReply, PASSWORD, type TestUser } from './accounts.js'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const FACTORS = '/users/me/second-factors'

/** A user with an authenticator app, and the time by which it makes codes. */
export interface AppUser extends TestUser {
  readonly recoveryCodes: string[]
  /** A code of this moment, or of so many steps from it. */
  code(steps?: number): string
}

/** An authenticator app that scanned the QR code. */
export function authenticatorApp(secret: string): (steps?: number) => string {
  const bits = [...secret].map((digit) => BASE32.indexOf(digit).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  return (steps = 0) => hotp(bytes, stepAt(new Date()) + steps)
}

export function factorsClient(accounts: Pick<AccountsUnderTest, 'call' | 'createUser'>) {
  const { call } = accounts
  const enrol = (token: string, password: string | undefined = PASSWORD) => call('POST', `${FACTORS}/totp`, { token, body: { password } })
  const confirm = (token: string, code: string) => call('POST', `${FACTORS}/totp/confirm`, { token, body: { code } })

  return {
    enrol,
    confirm,
    list: (token: string) => call('GET', FACTORS, { token }),
    /** The first step of a sign-in, which says how to continue. */
    begin: ({ email, password }: Pick<TestUser, 'email' | 'password'>, from?: string): Promise<HttpReply> =>
      call('POST', '/auth', { basic: `${email}:${password}`, from }),
    answer: (challenge: string, answer: object, from?: string): Promise<HttpReply> =>
      call('POST', '/auth/second-factor', { body: { challenge, ...answer }, from }),
    /** Proves the factor again, and returns the newer token. */
    async stepUp(token: string, code: string): Promise<string> {
      const { body } = await call('POST', '/auth/step-up', { token })
      return (await call('POST', '/auth/second-factor', { body: { challenge: body.challenge, code } })).body.accessToken
    },
    /** The code that confirms the app is of the step before, so that the present one is still free. */
    async createAppUser(given: Partial<TestUser> = {}): Promise<AppUser> {
      const user = await accounts.createUser(given)
      const { body } = await enrol(user.token, user.password)
      const code = authenticatorApp(body.secret)
      const confirmed = await confirm(user.token, code(-1))
      return { ...user, token: confirmed.body.accessToken, recoveryCodes: confirmed.body.recoveryCodes, code }
    },
  }
}

/** The payload of a token. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into it
export function claimsOf(token: string): any {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
