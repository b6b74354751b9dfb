import { type AccountGrant, accountClaims, type ClientGrant, clientClaims, isExpired, readClaims } from './claims.js'

const NOW = new Date('2026-11-21T12:00:00.900Z')
const SECONDS = Math.floor(NOW.getTime() / 1000)
const USER = 'user-00000000-0000-4000-8000-000000000001'
const SESSION = 'session-00000000-0000-4000-8000-000000000002'
const CLIENT = 'client-00000000-0000-4000-8000-000000000003'

describe(accountClaims, () => {
  it('are valid in every area for 12 hours', () => {
    expect(accountClaims(accountGrant(), NOW)).toEqual({
      iss: 'https://trestle.test',
      sub: USER,
      aud: ['accounts', 'staking', 'nodes', 'btc-connect', 'eth-rpc'],
      iat: SECONDS,
      nbf: SECONDS,
      exp: SECONDS + 12 * 3600,
      jti: 'token-1',
      sid: SESSION,
      ep: 2,
    })
  })

  it('include `manager` for an administrator', () => {
    expect(accountClaims({ ...accountGrant(), administrator: true }, NOW).aud).toContain('manager')
  })
})

describe(clientClaims, () => {
  it('are valid for the scopes of the key for one hour, with the claims of RFC 9068', () => {
    expect(clientClaims(clientGrant(), NOW)).toEqual({
      iss: 'https://trestle.test',
      sub: USER,
      aud: ['nodes', 'eth-rpc'],
      iat: SECONDS,
      nbf: SECONDS,
      exp: SECONDS + 3600,
      jti: 'token-1',
      client_id: CLIENT,
      scope: 'nodes eth-rpc',
      ep: 2,
      kep: 7,
    })
  })
})

describe(readClaims, () => {
  const account = accountClaims(accountGrant(), NOW)
  const client = clientClaims(clientGrant(), NOW)

  it('returns what the issuer signs', () => {
    expect(readClaims('account', account, NOW)).toEqual(account)
    expect(readClaims('client', client, NOW)).toEqual(client)
  })

  it('refuses the claims of the other kind of token', () => {
    expect(() => readClaims('client', account, NOW)).toThrow(expect.objectContaining({ code: 'InvalidToken' }))
    expect(() => readClaims('account', client, NOW)).toThrow(expect.objectContaining({ code: 'InvalidToken' }))
  })

  it.each(Object.keys(account))('refuses an account token without %s', (name) => {
    expect(() => readClaims('account', { ...account, [name]: undefined }, NOW)).toThrow(expect.objectContaining({ code: 'InvalidToken' }))
  })

  it.each(Object.keys(client))('refuses a client token without %s', (name) => {
    expect(() => readClaims('client', { ...client, [name]: undefined }, NOW)).toThrow(expect.objectContaining({ code: 'InvalidToken' }))
  })

  it.each([
    ['account', account],
    ['client', client],
  ] as const)('tolerates a clock 5 seconds ahead and a lifetime 5 seconds too long in an %s token, and no more', (family, claims) => {
    const moved = (iat: number, exp: number) => readClaims(family, { ...claims, iat: claims.iat + iat, exp: claims.exp + exp }, NOW)
    expect(moved(5, 5)).toBeDefined()
    expect(moved(0, 5)).toBeDefined()
    expect(() => moved(6, 6)).toThrow(expect.objectContaining({ code: 'InvalidToken', cause: 'issued in the future' }))
    expect(() => moved(0, 6)).toThrow(expect.objectContaining({ code: 'InvalidToken', cause: 'valid for longer than any token may be' }))
  })
})

describe(isExpired, () => {
  it.each([
    [4, false],
    [5, true],
    [6, true],
  ])('counts a token whose time was up %i seconds ago as expired: %s', (ago, expired) => {
    expect(isExpired({ ...accountClaims(accountGrant(), NOW), exp: SECONDS - ago }, NOW)).toBe(expired)
  })
})

function accountGrant(): AccountGrant {
  return { issuer: 'https://trestle.test', userId: USER, sessionId: SESSION, epoch: 2, administrator: false, jti: 'token-1' }
}

function clientGrant(): ClientGrant {
  return {
    issuer: 'https://trestle.test',
    userId: USER,
    clientId: CLIENT,
    scopes: ['nodes', 'eth-rpc'],
    epoch: 2,
    keyEpoch: 7,
    jti: 'token-1',
  }
}
