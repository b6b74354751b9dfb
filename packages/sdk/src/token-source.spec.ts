import { answering, answeringInTurn, bodyOf, jwt, PROFILE, serving } from '../test/serving.js'
import { accountSession, clientCredentials } from './token-source.js'

const PAIR = { clientId: 'client-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11', clientSecret: 's' }

describe(clientCredentials, () => {
  it('fetches one token for all who ask, and a new one a minute before it expires', async () => {
    const { trestle, issued } = await issuing()
    let now = 0
    const source = clientCredentials(trestle, PAIR, () => now)
    const [first, second] = await Promise.all([source.current(), source.current()])
    now = 3_539_999
    const third = await source.current()
    now = 3_540_000
    const fourth = await source.current()
    expect([first === second, second === third, third === fourth, issued()]).toEqual([true, true, false, 2])
  })

  it('is asked once for a newer token when many calls are refused at once, and each is sent again', async () => {
    const { trestle, issued, revoke } = await issuing()
    const bound = trestle.with({ token: clientCredentials(trestle, PAIR) })
    await bound.accounts.users.me()
    revoke()
    const profiles = await Promise.all([1, 2, 3].map(() => bound.accounts.users.me()))
    expect([profiles.length, issued()]).toEqual([3, 2])
  })

  it('gives up when a new token is refused too', async () => {
    const { trestle, issued, revoke } = await issuing()
    revoke('all')
    await expect(trestle.with({ token: clientCredentials(trestle, PAIR) }).accounts.users.me()).rejects.toMatchObject({
      code: 'InvalidToken',
    })
    expect(issued()).toBe(2)
  })

  it('tries again after it could not get one', async () => {
    let calls = 0
    const { trestle } = await serving((_, response) =>
      ++calls === 1 ? response.writeHead(503).end() : response.end(JSON.stringify({ accessToken: jwt(1) })),
    )
    const source = clientCredentials(trestle, PAIR)
    await expect(source.current()).rejects.toMatchObject({ status: 503 })
    expect(await source.current()).toBe(jwt(1))
  })
})

describe('a second factor', () => {
  const challenge = { challenge: 'c1', methods: ['totp'], expiresAt: '2026-01-01T00:00:00.000Z' }
  const required = answering({ code: 'SecondFactorRequired', detail: 'A code, please.', ...challenge }, 403)

  it('is asked for at a sign-in, and answered with its challenge', async () => {
    const asked: string[] = []
    const { trestle } = await serving(async (request, response) => {
      if (request.url === '/accounts/auth') return required(request, response)
      asked.push(await bodyOf(request))
      return answering({ accessToken: jwt(1) })(request, response)
    })
    const code = async ({ methods }: { methods: string[] }) => methods.join()
    expect(await accountSession(trestle, { email: 'a@b.example', password: 'p', code }).current()).toBe(jwt(1))
    expect(asked).toEqual(['{"challenge":"c1","code":"totp"}'])
  })

  it('is a Problem with its challenge where nobody can be asked', async () => {
    const { trestle } = await serving(required)
    const attempt = accountSession(trestle, { email: 'a@b.example', password: 'p' }).current()
    await expect(attempt).rejects.toMatchObject({ code: 'SecondFactorRequired', extensions: challenge })
  })

  it('is proven again where a call demands it, after which the call is repeated with the newer token, once', async () => {
    const demanded = answering({ code: 'StepUpRequired', detail: 'Again.' }, 401)
    let proofs = 0
    const stepUp = async () => `proof-${++proofs}`
    const { trestle, seen } = await serving(answeringInTurn(demanded, answering({}), demanded), { token: 'old', stepUp })
    await trestle.accounts.secondFactors.remove({ params: { id: 'factor-1' } })
    await expect(trestle.accounts.secondFactors.remove({ params: { id: 'factor-2' } })).rejects.toMatchObject({ code: 'StepUpRequired' })
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer proof-1', 'Bearer old', 'Bearer proof-2'])
  })
})

describe('a refresh token', () => {
  const granted = (body: string) => JSON.parse(body) as { grantType: string; refreshToken?: string; clientSecret?: string }

  it('is what the next token is asked for with, again and again, without the secret', async () => {
    const { source, asked, renewals } = await granting(() => undefined)
    await renewals(3)
    expect(await source.current()).toBe(jwt(3))
    expect(asked.map(granted)).toEqual([
      { grantType: 'clientCredentials', ...PAIR },
      { grantType: 'refreshToken', refreshToken: 'r1' },
      { grantType: 'refreshToken', refreshToken: 'r1' },
    ])
  })

  it('gives way to the pair when it is not good any more', async () => {
    const { asked, renewals } = await granting(({ grantType }) =>
      grantType === 'refreshToken' ? { code: 'InvalidRefreshToken', detail: 'No.' } : undefined,
    )
    await renewals(2)
    expect(asked.map(granted).map(({ grantType }) => grantType)).toEqual(['clientCredentials', 'refreshToken', 'clientCredentials'])
  })

  it('stays while the platform is away', async () => {
    const { asked, renewals, source } = await granting(() => (asked.length === 2 ? { code: 'Busy', detail: 'Wait.' } : undefined))
    await expect(renewals(2)).rejects.toMatchObject({ code: 'Busy' })
    await source.current()
    expect(asked.map(granted).map(({ grantType }) => grantType)).toEqual(['clientCredentials', 'refreshToken', 'refreshToken'])
  })

  async function granting(refusal: (request: { grantType: string }) => object | undefined) {
    const asked: string[] = []
    const { trestle } = await serving(async (request, response) => {
      const body = await bodyOf(request)
      asked.push(body)
      const isFirst = granted(body).grantType === 'clientCredentials'
      const refused = refusal(granted(body))
      const issued = { accessToken: jwt(asked.length), ...(isFirst && { refreshToken: `r${asked.length}` }) }
      answering(refused ?? issued, refused ? 401 : 200)(request, response)
    })
    const source = clientCredentials(trestle, PAIR)
    const renewals = async (count: number) => {
      let token = await source.current()
      for (let i = 1; i < count; i++) token = await source.renew(token)
    }
    return { source, asked, renewals }
  }
})

describe(accountSession, () => {
  const WHO = { email: 'zoë@example.com', password: 'pä:ss' }

  it('signs in once for all who ask, and again a minute before the token expires', async () => {
    let count = 0
    const { trestle, seen } = await serving((request, response) => answering({ accessToken: jwt(++count) })(request, response))
    let now = 0
    const session = accountSession(trestle, WHO, () => now)
    const first = await Promise.all([session.current(), session.current()])
    now = 3_539_999
    expect([...first, await session.current()]).toEqual([jwt(1), jwt(1), jwt(1)])
    now = 3_540_000
    expect(await session.current()).toBe(jwt(2))
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /accounts/auth', 'POST /accounts/auth'])
    expect(Buffer.from(seen[0]!.headers.authorization!.slice('Basic '.length), 'base64').toString()).toBe('zoë@example.com:pä:ss')
  })

  it('tells when the password is wrong', async () => {
    const { trestle } = await serving(answering({ code: 'InvalidCredentials', detail: 'No.' }, 401))
    const me = trestle.with({ token: accountSession(trestle, WHO) })
    await expect(me.accounts.users.me()).rejects.toMatchObject({ status: 401, code: 'InvalidCredentials' })
  })
})

describe('a token that the staking area refuses', () => {
  const source = { current: async () => 'old', renew: async (refused: string) => `newer than ${refused}` }
  const refusal = (detail: string) => answering({ title: 'Forbidden', code: 'TokenExpired', detail }, 403)

  it.each(['The access token expired.', 'The token is expired.'])('by a 403 is renewed when it says "%s"', async (detail) => {
    const { trestle, seen } = await serving(answeringInTurn(refusal(detail), answering(['dev'])))
    expect(await trestle.staking.chains.list({ token: source })).toEqual(['dev'])
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer newer than old'])
  })

  it.each(['Only an administrator may do this.', 'The confirmation has expired.'])('is not when the 403 says "%s"', async (detail) => {
    const { trestle, seen } = await serving(answeringInTurn(refusal(detail), answering(['dev'])))
    await expect(trestle.staking.chains.list({ token: source })).rejects.toMatchObject({ status: 403, detail })
    expect(seen).toHaveLength(1)
  })

  it('is thrown when the newer one is refused too', async () => {
    const { trestle, seen } = await serving(refusal('The access token expired.'))
    await expect(trestle.staking.chains.list({ token: source })).rejects.toMatchObject({ status: 403, code: 'TokenExpired' })
    expect(seen).toHaveLength(2)
  })
})

/** A platform that issues tokens for an hour, and refuses those from before `revoke`. */
async function issuing() {
  let count = 0
  let oldest = 1
  const { trestle } = await serving((request, response) => {
    if (request.url === '/accounts/auth/token') return answering({ accessToken: jwt(++count) })(request, response)
    const alive = Array.from({ length: count }, (_, index) => index + 1).some(
      (id) => id >= oldest && request.headers.authorization === `Bearer ${jwt(id)}`,
    )
    return answering(alive ? PROFILE : { code: 'InvalidToken', detail: 'Revoked.' }, alive ? 200 : 401)(request, response)
  })
  const revoke = (which?: 'all') => {
    oldest = which ? Number.POSITIVE_INFINITY : count + 1
  }
  return { trestle, issued: () => count, revoke }
}
