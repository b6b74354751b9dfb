import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Authenticator } from '@trestle/auth/authenticator'
import type { Authorization } from '@trestle/auth/authorization'
import { KeyRestrictions } from '@trestle/auth/key-restrictions.engine'
import type { Caller, KeyLimits } from '@trestle/contracts/caller'
import { Problem } from '@trestle/problem/problem'
import { addressesOf } from '@trestle/runtime/address-ranges'
import type { AccessRules } from './access-rules.js'
import { AdmissionService } from './admission.service.js'

const OPEN: AccessRules = { organizationId: 'org-1', ownerId: 'user-1', credentials: { type: 'none' } }
const WITH_TOKEN: AccessRules = { ...OPEN, credentials: { type: 'token', permission: 'eth:call' } }

let restrictions: KeyRestrictions
beforeEach(() => {
  restrictions = new KeyRestrictions()
})

describe(AdmissionService, () => {
  it('admits everyone without rules', () => {
    expect(admit(OPEN, { origin: 'https://any.example' })).toBeUndefined()
  })

  it('admits nobody while the owner is disabled', () => {
    expect(admit({ ...OPEN, isOwnerDisabled: true }, {})).toBe('OwnerDisabled')
    expect(admit({ ...WITH_TOKEN, isOwnerDisabled: true }, { authorization: 'known user-1' })).toBe('OwnerDisabled')
  })

  it('admits exactly the allowed origins, and clients without an origin', () => {
    const rules = { ...OPEN, origins: new Set(['https://app.example']) }
    for (const origin of ['https://app.example', undefined]) expect(admit(rules, { origin })).toBeUndefined()
    for (const origin of ['https://app.example.evil', 'http://app.example', 'https://app.example:8443', 'null', ''])
      expect(admit(rules, { origin })).toBe('OriginNotAllowed')
  })

  it.each([
    [['192.0.2.7'], ['192.0.2.7'], ['192.0.2.8', '::1']],
    [['192.0.2.0/24'], ['192.0.2.0', '192.0.2.255'], ['192.0.3.0']],
    [
      ['2001:db8::/32', '10.0.0.1'],
      ['2001:db8:1::1', '10.0.0.1'],
      ['2001:db9::1', '10.0.0.2'],
    ],
    [['0.0.0.0/0'], ['255.255.255.255'], ['2001:db8::1']],
  ])('admits only addresses in %j', (ranges, inside, outside) => {
    const rules = { ...OPEN, addresses: addressesOf(ranges) }
    for (const address of inside) expect(admit(rules, { address })).toBeUndefined()
    for (const address of outside) expect(admit(rules, { address })).toBe('AddressNotAllowed')
  })

  it('refuses what is not an address', () => {
    expect(admit({ ...OPEN, addresses: addressesOf(['0.0.0.0/0', '::/0']) }, { address: 'unknown' })).toBe('AddressNotAllowed')
  })

  it('admits the one user and password, in a single header', () => {
    const rules: AccessRules = { ...OPEN, credentials: { type: 'basic', digest: hash('sha256', 'ada:secret', 'buffer') } }
    const right = `Basic ${Buffer.from('ada:secret').toString('base64')}`
    expect(admit(rules, { authorization: right })).toBeUndefined()
    expect(admit(rules, {})).toBe('MissingCredentials')
    expect(admit(rules, { authorization: 'Bearer x' })).toBe('MissingCredentials')
    expect(admit(rules, { authorization: `Basic ${Buffer.from('ada:Secret').toString('base64')}` })).toBe('InvalidCredentials')
    expect(admit(rules, { authorization: right, rawHeaders: ['authorization', right, 'Authorization', 'x'] })).toBe('InvalidCredentials')
  })

  it('admits whoever has a token of another issuer that is trusted, at once where it was verified before', async () => {
    const admitted: string[] = []
    const foreign = {
      isPresentedBy: ({ headers }: IncomingMessage) => headers.authorization?.startsWith('foreign') ?? false,
      admit: ({ headers: { authorization = '' } }: IncomingMessage) => {
        admitted.push(authorization)
        if (authorization.endsWith('bad')) throw new Problem('unauthenticated', 'InvalidToken', 'Expired.')
        return authorization.endsWith('new') ? Promise.resolve() : undefined
      },
    }
    const rules: AccessRules = { ...OPEN, credentials: { type: 'token', permission: 'eth:call', foreign } }
    expect(admit(rules, { authorization: 'foreign known' })).toBeUndefined()
    await expect(admit(rules, { authorization: 'foreign new' })).resolves.toBeUndefined()
    expect(admit(rules, { authorization: 'foreign bad' })).toBe('InvalidToken')
    await expect(admit(rules, { authorization: 'foreign known' }, 'recheck')).resolves.toBeUndefined()
    expect(admit(rules, { authorization: 'known user-1' })).toBeUndefined()
    expect(admit(rules, { authorization: 'known user-2' })).toBe('NotOwner')
    expect(admitted).toHaveLength(4)
  })

  it('reports whoever it admits with a token, and nobody else', async () => {
    const reported: unknown[] = []
    const rules: AccessRules = { ...WITH_TOKEN, onAdmitted: ({ userId }) => reported.push(userId) }
    admit(rules, { authorization: 'known user-1' })
    admit(rules, { authorization: 'known user-2' })
    await admit(rules, { authorization: 'new user-1' })
    await expect(admit(rules, { authorization: 'new user-2' })).rejects.toMatchObject({ code: 'NotOwner' })
    admit({ ...rules, credentials: { type: 'none' } }, { authorization: 'known user-1' })
    expect(reported).toEqual(['user-1', 'user-1'])
  })

  it('holds a client key to its addresses and limits, also where its token has to be verified', async () => {
    const fromElsewhere = { authorization: 'known user-1', limits: { allowedIps: ['198.51.100.0/24'] } }
    expect(admit(WITH_TOKEN, fromElsewhere)).toBe('AddressNotAllowed')
    expect(admit(WITH_TOKEN, { ...fromElsewhere, address: '198.51.100.9' })).toBeUndefined()
    await expect(admit(WITH_TOKEN, { ...fromElsewhere, authorization: 'new user-1' })).rejects.toMatchObject({ code: 'AddressNotAllowed' })
    const limited = { authorization: 'known user-1', limits: { perDay: 2 } }
    expect([admit(WITH_TOKEN, limited), admit(WITH_TOKEN, limited), admit(WITH_TOKEN, limited)]).toEqual([
      undefined,
      undefined,
      'TooManyRequests',
    ])
  })

  it('counts an open connection as the one request that opened it, and its caller as present while it is open', async () => {
    const reported: unknown[] = []
    const rules: AccessRules = { ...WITH_TOKEN, onAdmitted: ({ userId }) => reported.push(userId) }
    const limited = { authorization: 'known user-1', limits: { perDay: 1 } }
    expect(admit(rules, limited)).toBeUndefined()
    for (let second = 0; second < 3; second++) await admit(rules, limited, 'recheck')
    expect(reported).toEqual(['user-1', 'user-1', 'user-1', 'user-1'])
    expect(admit(rules, limited)).toBe('TooManyRequests')
  })

  it('admits tokens of who has the permission in the organization, synchronously where a token was verified before', async () => {
    const rules = WITH_TOKEN
    expect(admit(rules, { authorization: 'known user-1' })).toBeUndefined()
    expect(admit(rules, { authorization: 'known user-2' })).toBe('NotOwner')
    await expect(admit(rules, { authorization: 'new user-1' })).resolves.toBeUndefined()
    await expect(admit(rules, { authorization: 'new user-2' })).rejects.toMatchObject({ code: 'NotOwner', status: 403 })
  })
})

interface Arrival {
  readonly origin?: string
  readonly authorization?: string
  readonly address?: string
  readonly rawHeaders?: readonly string[]
  /** Of the client key whose token it has. */
  readonly limits?: KeyLimits
}

/** Undefined, or the code of the refusal; a promise where a token has to be verified. */
function admit(
  rules: AccessRules,
  { origin, authorization = '', address = '192.0.2.7', rawHeaders, limits }: Arrival,
  verb: 'admit' | 'recheck' = 'admit',
) {
  const request = { headers: { origin, authorization }, rawHeaders: rawHeaders ?? ['authorization', authorization] }
  const [known, userId = ''] = authorization.split(' ')
  const authenticator = {
    known: () => (known === 'known' ? { userId, limits } : undefined),
    authenticate: async () => ({ userId, limits }),
    recheck: async () => undefined,
  } as unknown as Authenticator
  const permissions = {
    allows: ({ userId }: Caller, permission: string, organizationId: string) =>
      [userId, permission, organizationId].join() === 'user-1,eth:call,org-1',
    requireFactor: () => undefined,
  } as unknown as Authorization
  try {
    return new AdmissionService(authenticator, permissions, restrictions)[verb](rules, {
      request: request as unknown as IncomingMessage,
      address: () => address,
    })
  } catch (error) {
    return (error as Problem).code
  }
}
