import { APPROVABLE_ENDPOINTS } from '@trestle/contracts/approvable-call'
import type { ClientArea } from '@trestle/contracts/areas'
import { APPROVABLE_PERMISSIONS, type Permission, personalOrganizationOf, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import type { RunningService } from '@trestle/runtime/boot-service'
import { type ApprovalClaims, approvalAudience, bodyDigest } from '../src/approval-claims.js'
import { Authorization } from '../src/authorization.js'
import { Memberships } from '../src/memberships.js'
import { Revocations } from '../src/revocations.js'
import { startArea } from './approvable-area.js'
import { ISSUER, resigned, signingKey, TestIssuer } from './issuer.js'
import { FakeAccounts } from './sources.js'

const ADA = 'user-00000000-0000-4000-8000-000000000001'
const BOB = 'user-00000000-0000-4000-8000-000000000002'
const CAROL = 'user-00000000-0000-4000-8000-000000000006'
const SHARED = 'org-00000000-0000-4000-8000-000000000003'
const OTHER = 'org-00000000-0000-4000-8000-000000000004'
const NODE = 'node-00000000-0000-4000-8000-000000000005'
const NOW = Math.floor(Date.now() / 1000)

const PARAMS: Record<string, string> = { id: NODE, chain: 'dev', pubkey: 'ab'.repeat(48) }
const BODIES: Record<string, object> = { feeAddress: { feeAddress: `0x${'12'.repeat(20)}` }, organization: { organization: OTHER } }

const stand = new FakeAccounts(new TestIssuer())
const { issuer } = stand
const asAda = issuer.account({ payload: { sub: ADA } })
const services = new Map<string, RunningService>()
let versions = 0
let serial = 0
/** What handlers have served. */
let served: string[] = []

interface Call {
  readonly area: ClientArea
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly permission: Permission
}

const calls = APPROVABLE_ENDPOINTS.flatMap(({ area, endpoint, permission }): Call[] => {
  if (area === 'accounts') return []
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => PARAMS[name] ?? '')
  const name = Object.keys(BODIES).find(
    (member) => endpoint.body?.safeParse(BODIES[member]).success && !endpoint.body.safeParse({}).success,
  )
  return [{ area: area as ClientArea, method: endpoint.method, path, body: name ? BODIES[name] : undefined, permission }]
})
const REMOVAL: Call = { area: 'nodes', method: 'DELETE', path: `/users/me/nodes/${NODE}?purge=true`, permission: 'nodes:delete' }
const FEE_ADDRESS = calls.find(({ permission }) => permission === 'staking:update') ?? REMOVAL

beforeAll(async () => {
  for (const area of ['nodes', 'staking'] as const) services.set(area, await startArea(area, stand.options(), (name) => served.push(name)))
})
beforeEach(() => {
  served = []
  for (const userId of [ADA, BOB]) for (const organizationId of [SHARED, OTHER]) member(userId, organizationId)
})
afterAll(async () => {
  for (const service of services.values()) await service.stop()
})

describe('every endpoint outside accounts that an organization may put under four eyes', () => {
  it('is called by this test', () => {
    expect(calls).toHaveLength(11)
  })

  it.each(calls)('is refused without an approval, and served with one: $method $path', async (call) => {
    member(ADA, SHARED, { approvals: [call.permission] })
    const refused = { status: 403, body: { code: 'ApprovalRequired', organizationId: SHARED, permission: call.permission } }
    expect(await send(call, { token: asAda })).toMatchObject(refused)
    expect(served).toEqual([])
    const approval = approvalOf(call)
    expect((await send(call, { token: asAda, approval })).status).toBeLessThan(300)
    expect(served).toHaveLength(1)
    expect(await send(call, { token: asAda, approval })).toMatchObject({ status: 403, body: { code: 'ApprovalUsed' } })
    expect(served).toHaveLength(1)
  })

  it.each(calls)('needs none where the organization demands it of everything else: $method $path', async (call) => {
    member(ADA, SHARED, { approvals: APPROVABLE_PERMISSIONS.filter((permission) => permission !== call.permission) })
    expect((await send(call, { token: asAda })).status).toBeLessThan(300)
  })

  it.each(calls)('is refused to a key of a member, too: $method $path', async (call) => {
    member(ADA, SHARED, { approvals: [call.permission] })
    const token = issuer.client({ payload: { sub: ADA, org: SHARED } })
    const { status, body } = await send(call, { token })
    // Some take no keys at all.
    expect([401, 403]).toContain(status)
    expect(['InvalidToken', 'ApprovalRequired']).toContain(body.code)
    if (status === 403) expect((await send(call, { token, approval: approvalOf(call) })).status).toBeLessThan(300)
  })
})

describe('an approval', () => {
  beforeEach(() => member(ADA, SHARED, { approvals: APPROVABLE_PERMISSIONS }))

  const HOSTILE: [string, Partial<ApprovalClaims>][] = [
    ['of another member', { sub: BOB, approver: ADA }],
    ['of oneself', { approver: ADA }],
    ['of another organization', { org: OTHER }],
    ['of the personal organization', { org: personalOrganizationOf(ADA) }],
    ['of another permission', { permission: 'staking:exit' }],
    ['of another method', { method: 'PUT' }],
    ['of another path', { path: `/users/me/nodes/${NODE.replace('5', '6')}?purge=true` }],
    ['of the path without its query', { path: `/users/me/nodes/${NODE}` }],
    ['of the path in another spelling', { path: `/nodes/users/me/nodes/${NODE}?purge=true` }],
    ['of a body, where there is none', { body: bodyDigest({}) }],
    ['that has expired', { iat: NOW - 3700, exp: NOW - 100 }],
    ['that lives too long', { exp: NOW + 7200 }],
    ['of the future', { iat: NOW + 60, exp: NOW + 3600 }],
    ['for another area', { aud: approvalAudience('staking') }],
    ['whose audience is the area', { aud: 'nodes' }],
    ['of another issuer', { iss: 'https://elsewhere.test' }],
    ['of nobody', { approver: 'user-00000000-0000-4000-8000-000000000009' }],
  ]
  it.each(HOSTILE)('%s is refused', async (_, claims) => {
    expect(await send(REMOVAL, { token: asAda, approval: approvalOf(REMOVAL, claims) })).toMatchObject({
      status: 403,
      body: { code: 'InvalidApproval' },
    })
    expect(served).toEqual([])
  })

  it('binds the body, whatever the order of its members', async () => {
    const other = { ...FEE_ADDRESS, body: { feeAddress: `0x${'66'.repeat(20)}` } }
    const none = { ...FEE_ADDRESS, body: undefined }
    for (const call of [other, none])
      expect((await send(call, { token: asAda, approval: approvalOf(FEE_ADDRESS) })).body.code).toBe('InvalidApproval')
    expect(served).toEqual([])
    expect((await send(FEE_ADDRESS, { token: asAda, approval: approvalOf(FEE_ADDRESS) })).status).toBe(204)
  })

  it('is no use to somebody else who has it, with their account or a key of theirs', async () => {
    member(BOB, SHARED, { approvals: APPROVABLE_PERMISSIONS })
    const [account, key] = [issuer.account({ payload: { sub: BOB } }), issuer.client({ payload: { sub: BOB, org: SHARED } })]
    for (const token of [account, key])
      expect((await send(REMOVAL, { token, approval: approvalOf(REMOVAL) })).body.code).toBe('InvalidApproval')
  })

  it('is no use in another organization', async () => {
    member(ADA, OTHER, { approvals: APPROVABLE_PERMISSIONS })
    expect((await send(REMOVAL, { token: asAda, approval: approvalOf(REMOVAL), organization: OTHER })).body.code).toBe('InvalidApproval')
    expect((await send(REMOVAL, { token: asAda, organization: personalOrganizationOf(ADA) })).status).toBe(200)
  })

  it('ends when who approved leaves, loses the permission, or is signed out everywhere', async () => {
    member(BOB, SHARED, { permissions: ROLE_PERMISSIONS.developer })
    expect((await send(REMOVAL, { token: asAda, approval: approvalOf(REMOVAL) })).body.code).toBe('InvalidApproval')
    member(BOB, SHARED, { permissions: [] })
    expect((await send(REMOVAL, { token: asAda, approval: approvalOf(REMOVAL) })).body.code).toBe('InvalidApproval')
    member(BOB, SHARED)
    // Signed out everywhere since, as after a reset of a stolen password.
    member(CAROL, SHARED)
    for (const { app } of services.values()) app.get(Revocations).record({ kind: 'user', id: CAROL, epoch: 4 })
    const before = approvalOf(REMOVAL, { approver: CAROL, approver_ep: 3 })
    expect((await send(REMOVAL, { token: asAda, approval: before })).body.code).toBe('InvalidApproval')
    expect((await send(REMOVAL, { token: asAda, approval: approvalOf(REMOVAL, { approver: CAROL, approver_ep: 4 }) })).status).toBe(200)
  })

  it('is minted by accounts alone, and is no token', async () => {
    const claims = claimsOf(REMOVAL)
    const rogue = signingKey()
    const forged = [
      issuer.approval(claims, { key: rogue }),
      issuer.approval(claims, { key: { ...rogue, kid: issuer.keys.account.kid } }),
      issuer.approval(claims, { key: issuer.keys.client }),
      issuer.approval(claims, { header: { typ: 'acct+jwt' } }),
      issuer.approval(claims, { header: { alg: 'none' } }),
      issuer.approval(claims, { header: { jwk: rogue.jwk } }),
      issuer.approval(claims, { payload: { more: true } }),
      resigned(issuer.approval(claims), (bytes) => bytes.fill(1, 3, 9)),
      issuer.account({ payload: { ...claims } }),
      asAda,
      `${issuer.approval(claims)}, ${issuer.approval(claims)}`,
      '',
      'x'.repeat(9000),
    ]
    for (const approval of forged) expect((await send(REMOVAL, { token: asAda, approval })).body.code).toBe('InvalidApproval')
    expect(served).toEqual([])
    expect(await send(REMOVAL, { token: issuer.approval(claims) })).toMatchObject({ status: 401, body: { code: 'InvalidToken' } })
  })

  it('may be used again where the request has failed', async () => {
    const approval = approvalOf(REMOVAL, { path: `/users/me/nodes/${NODE}?purge=perhaps` })
    const call = { ...REMOVAL, path: `/users/me/nodes/${NODE}?purge=perhaps` }
    expect((await send(call, { token: asAda, approval })).status).toBe(400)
    expect((await send(call, { token: asAda, approval })).status).toBe(400)
  })

  it('does not replace the permission', async () => {
    member(ADA, SHARED, { permissions: ROLE_PERMISSIONS.developer, approvals: APPROVABLE_PERMISSIONS })
    expect((await send(REMOVAL, { token: asAda, approval: approvalOf(REMOVAL) })).body.code).toBe('MissingPermission')
  })

  it('is not looked at where none is demanded', async () => {
    member(ADA, SHARED)
    expect((await send(REMOVAL, { token: asAda, approval: 'anything' })).status).toBe(200)
  })

  it('is demanded where a handler asks for what is to be approved, in whichever organization', () => {
    const authorization = services.get('nodes')!.app.get(Authorization)
    const claims = { sub: ADA, sid: 'session-1', aud: ['nodes'], exp: 0 }
    const caller = authorization.callerOf(claims as never, { headers: {}, url: '/' } as never)
    expect(authorization.allows(caller, 'nodes:delete', SHARED)).toBe(false)
    expect(authorization.allows(caller, 'nodes:create', SHARED)).toBe(true)
    expect(() => authorization.require(caller, 'nodes:delete', SHARED)).toThrow(expect.objectContaining({ code: 'ApprovalRequired' }))
    const approval = { id: 'approval-1', organizationId: SHARED, permission: 'nodes:delete', approverId: BOB } as const
    expect(authorization.allows({ ...caller, approval }, 'nodes:delete', SHARED)).toBe(true)
    expect(authorization.allows({ ...caller, approval: { ...approval, organizationId: OTHER } }, 'nodes:delete', SHARED)).toBe(false)
    expect(authorization.allows({ ...caller, approval }, 'staking:exit', SHARED)).toBe(false)
  })
})

function claimsOf({ area, method, path, body, permission }: Call, more: Partial<ApprovalClaims> = {}): ApprovalClaims {
  serial++
  return {
    iss: ISSUER,
    aud: approvalAudience(area),
    sub: ADA,
    iat: NOW,
    exp: NOW + 3600,
    jti: `approval-${serial}`,
    org: SHARED,
    permission,
    approver: BOB,
    approver_ep: 3,
    method,
    path,
    ...(body && { body: bodyDigest(body) }),
    ...more,
  }
}

function approvalOf(call: Call, more?: Partial<ApprovalClaims>): string {
  return issuer.approval(claimsOf(call, more))
}

async function send(
  { area, method, path, body }: Call,
  { token, approval, organization = SHARED }: { token: string; approval?: string; organization?: string },
) {
  const isKey = !token.includes('.') || JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).client_id
  const headers = {
    authorization: `Bearer ${token}`,
    ...(!isKey && { 'trestle-organization': organization }),
    ...(approval !== undefined && { 'trestle-approval': approval }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const answer = await fetch(`${services.get(area)?.url}${path}`, { method, headers, body: body && JSON.stringify(body) })
  const text = await answer.text()
  return { status: answer.status, body: text ? JSON.parse(text) : {} }
}

function member(
  userId: string,
  organizationId: string,
  { approvals = [], permissions = ROLE_PERMISSIONS.owner }: { approvals?: readonly string[]; permissions?: readonly Permission[] } = {},
): void {
  versions++
  const policy = { requireSecondFactor: false, approvals: [...approvals] }
  const membership = {
    userId,
    organizationId,
    permissions: [...permissions],
    policy,
    version: versions,
    changedAt: new Date().toISOString(),
  }
  for (const { app } of services.values()) app.get(Memberships).record(membership)
}
