import { randomUUID } from 'node:crypto'
import { organizationDissolved } from '@trestle/contracts/accounts/messages'
import { type Permission, personalOrganizationOf, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { eventually } from '@trestle/testing/eventually'
import { callStaking, type StakingUnderTest, startStakingUnderTest } from './staking-under-test.js'

const VALIDATORS = '/dev/validators'
const withdrawalAddress = `0x${'ab'.repeat(20)}`

let staking: StakingUnderTest
beforeAll(async () => {
  staking = await startStakingUnderTest({ MAX_VALIDATORS: '3' })
}, 120_000)
afterAll(() => staking.stop())

describe('a validator of an organization', () => {
  it('is there for every member who may see it, and for nobody else', async () => {
    const { organizationId, headers, operator, viewer } = await team()
    const { pubkey } = (await operator('POST', VALIDATORS, { withdrawalAddress }, headers)).body
    for (const member of [operator, viewer]) {
      const own = { pubkey, user: operator.userId, organization: organizationId }
      expect((await member('GET', VALIDATORS, undefined, headers)).body).toMatchObject([own])
      expect((await member('GET', `${VALIDATORS}?organization=${organizationId}`)).body).toMatchObject([own])
      expect((await member('GET', '/validators/report', undefined, headers)).text).toContain(`dev,${pubkey},`)
      expect((await member('GET', VALIDATORS)).body).toEqual([])
      expect((await member('GET', `${VALIDATORS}/${pubkey}`)).body.code).toBe('UnknownValidator')
    }
    const refused = await staking.user()('GET', `${VALIDATORS}/${pubkey}`, undefined, headers)
    expect([refused.status, refused.body.code]).toEqual([404, 'UnknownOrganization'])
  })

  it('is changed only by who has the permission', async () => {
    const { headers, operator, viewer } = await team()
    const { pubkey } = (await operator('POST', VALIDATORS, { withdrawalAddress }, headers)).body
    for (const [method, path, body] of [
      ['POST', '', { withdrawalAddress }],
      ['PUT', `/${pubkey}`, { feeAddress: withdrawalAddress }],
      ['POST', `/${pubkey}/validatorExit`],
      ['DELETE', `/${pubkey}`],
    ] as const) {
      const refused = await viewer(method, `${VALIDATORS}${path}`, body, headers)
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'MissingPermission'])
    }
    expect((await operator('POST', `${VALIDATORS}/${pubkey}/validatorExit`, undefined, headers)).status).toBe(204)
    const { rows } = await staking.sql.query("SELECT payload FROM staking.outbox WHERE subject = 'staking.validator-update.requested'")
    expect(rows.at(-1).payload).toMatchObject({ pubkey, userId: operator.userId, organizationId: headers['trestle-organization'] })
    expect((await operator('DELETE', `${VALIDATORS}/${pubkey}`, undefined, headers)).status).toBe(204)
  })

  it('stays when its creator leaves, who cannot reach it any more', async () => {
    const { organizationId, headers, operator, viewer } = await team()
    const { pubkey } = (await operator('POST', VALIDATORS, { withdrawalAddress }, headers)).body
    await grant(operator, organizationId, [])
    await eventually(
      async () => (await operator('GET', VALIDATORS, undefined, headers)).status === 404 || undefined,
      'the creator has left',
    )
    for (const given of [headers, {}]) expect((await operator('GET', `${VALIDATORS}/${pubkey}`, undefined, given)).status).toBe(404)
    expect((await viewer('GET', `${VALIDATORS}/${pubkey}`, undefined, headers)).body.user).toBe(operator.userId)
  })
})

describe('a validator that is given to another organization', () => {
  it('moves with its history, for who may delete it here and create one there', async () => {
    const [here, there] = [await team(), await team()]
    await grant(here.operator, there.organizationId, ROLE_PERMISSIONS.developer)
    const { pubkey } = (await here.operator('POST', VALIDATORS, { withdrawalAddress }, here.headers)).body
    const to = (organization: string, by = here.operator) =>
      by('PUT', `${VALIDATORS}/${pubkey}/organization`, { organization }, here.headers)
    const told = async (answer: Promise<{ status: number; body: { code?: string } }>) => [(await answer).status, (await answer).body.code]
    expect(await told(to(there.organizationId, here.viewer))).toEqual([403, 'MissingPermission'])
    await eventually(async () => (await to(there.organizationId)).status === 403 || undefined, 'the membership is known')
    expect(await told(to(`org-${randomUUID()}`))).toEqual([404, 'UnknownOrganization'])
    expect((await to('acme')).status).toBe(400)
    await grant(here.operator, there.organizationId, ROLE_PERMISSIONS.operator)
    const { body } = await eventually(async () => {
      const answer = await to(there.organizationId)
      return answer.status === 200 ? answer : undefined
    }, 'the new permissions are known')
    expect(body).toMatchObject({ pubkey, organization: there.organizationId, user: here.operator.userId })
    expect(await told(to(there.organizationId))).toEqual([404, 'UnknownValidator'])
    expect((await here.viewer('GET', VALIDATORS, undefined, here.headers)).body).toEqual([])
    expect((await there.viewer('GET', VALIDATORS, undefined, there.headers)).body).toMatchObject([{ pubkey }])
    const { rows } = await staking.sql.query("SELECT payload FROM staking.outbox WHERE subject = 'staking.validator.transferred'")
    const owners = { fromOrganizationId: here.organizationId, toOrganizationId: there.organizationId }
    expect(rows).toMatchObject([{ payload: { pubkey, userId: here.operator.userId, ...owners } }])
    const event = await eventually(
      () => staking.accounts.securityEvents.find(({ kind, outcome }) => kind === 'ownership-transferred' && outcome === 'success'),
      'the security log has it',
    )
    expect(event).toMatchObject({ user: here.operator.userId, service: 'staking', target: { chain: 'dev', pubkey } })
  })

  it('cannot be moved by a key', async () => {
    const { operator, organizationId } = await team()
    const { pubkey } = (await operator('POST', VALIDATORS, { withdrawalAddress })).body
    const authorization = `Bearer ${staking.accounts.issuer.client({ payload: { sub: operator.userId } })}`
    const path = `${VALIDATORS}/${pubkey}/organization`
    const request = { method: 'PUT', path, body: { organization: organizationId }, headers: { authorization } }
    expect((await callStaking(staking.service, request)).status).toBe(401)
  })

  it('goes to the heir of an organization that is dissolved, which gets nothing new', async () => {
    const { organizationId, headers, operator } = await team()
    const { pubkey } = (await operator('POST', VALIDATORS, { withdrawalAddress }, headers)).body
    const heirId = personalOrganizationOf(operator.userId)
    const dissolution = { organizationId, heirId, dissolvedAt: new Date().toISOString() }
    for (let times = 0; times < 2; times++) await staking.accounts.publish(organizationDissolved, dissolution)
    const [validator] = await eventually(async () => {
      const { body } = await operator('GET', VALIDATORS)
      return body.length > 0 ? body : undefined
    }, 'the heir has it')
    expect(validator).toMatchObject({ pubkey, organization: heirId })
    // The end of the membership may arrive later.
    const late = await operator('POST', VALIDATORS, { withdrawalAddress }, headers)
    expect([late.status, late.body.code]).toEqual([404, 'UnknownOrganization'])
    const back = await operator('PUT', `${VALIDATORS}/${pubkey}/organization`, { organization: organizationId })
    expect([back.status, back.body.code]).toEqual([404, 'UnknownOrganization'])
  })
})

describe('a deleted validator', () => {
  it('is gone, and comes back for who may delete, with its key', async () => {
    const { headers, operator, viewer } = await team()
    const { pubkey } = (await operator('POST', VALIDATORS, { withdrawalAddress }, headers)).body
    const path = `${VALIDATORS}/${pubkey}`
    await eventually(async () => (await viewer('GET', path, undefined, headers)).body.phase === 'ready' || undefined, 'ready')
    expect((await operator('DELETE', path, undefined, headers)).status).toBe(204)
    expect((await viewer('GET', path, undefined, headers)).status).toBe(404)
    expect((await viewer('GET', VALIDATORS, undefined, headers)).body).toEqual([])
    const [removed] = (await viewer('GET', `${VALIDATORS}?deleted=true`, undefined, headers)).body
    expect(removed).toMatchObject({ pubkey, phase: 'ready', removedAt: expect.any(String) })
    expect(Date.parse(removed.restorableUntil) - Date.parse(removed.removedAt)).toBe(72 * 3_600_000)
    await staking.observed()
    expect((await viewer('POST', `${path}/restore`, undefined, headers)).status).toBe(403)
    expect((await operator('POST', `${path}/restore`)).status).toBe(404)
    expect((await operator('POST', `${path}/restore`, undefined, headers)).status).toBe(204)
    expect((await viewer('GET', VALIDATORS, undefined, headers)).body).toMatchObject([{ pubkey, phase: 'ready' }])
    expect((await viewer('GET', `${VALIDATORS}?deleted=true`, undefined, headers)).body).toEqual([])
    expect((await operator('POST', `${path}/restore`, undefined, headers)).body.code).toBe('UnknownValidator')
  })

  it('counts against the limit again when it comes back', async () => {
    const { operator } = await team()
    const create = async () => (await operator('POST', VALIDATORS, { withdrawalAddress })).body.pubkey
    const [first] = [await create(), await create(), await create()]
    expect((await operator('DELETE', `${VALIDATORS}/${first}`)).status).toBe(204)
    await create()
    const refused = await operator('POST', `${VALIDATORS}/${first}/restore`)
    expect([refused.status, refused.body.code]).toEqual([409, 'LimitExceeded'])
  })
})

describe('a creation', () => {
  it('counts against the limit of its user, whichever organization it is for', async () => {
    const { headers, operator } = await team()
    for (const given of [headers, {}, headers]) expect((await operator('POST', VALIDATORS, { withdrawalAddress }, given)).status).toBe(200)
    for (const given of [headers, {}])
      expect((await operator('POST', VALIDATORS, { withdrawalAddress }, given)).body.code).toBe('LimitExceeded')
  })

  it('is not repeated for another organization by the same Idempotency-Key', async () => {
    const { headers, operator } = await team()
    const key = { 'idempotency-key': 'order-1' }
    const first = await operator('POST', VALIDATORS, { withdrawalAddress }, { ...headers, ...key })
    expect((await operator('POST', VALIDATORS, { withdrawalAddress }, { ...headers, ...key })).body).toEqual(first.body)
    const other = await operator('POST', VALIDATORS, { withdrawalAddress }, key)
    expect([other.status, other.body.code]).toEqual([409, 'IdempotencyKeyReused'])
  })
})

it('a client key needs no organization, and reaches no other than its own', async () => {
  const { headers, operator } = await team()
  const authorization = `Bearer ${staking.accounts.issuer.client({ payload: { sub: operator.userId } })}`
  const own = await callStaking(staking.service, { method: 'GET', path: VALIDATORS, headers: { authorization } })
  expect([own.status, own.body]).toEqual([200, []])
  const other = await callStaking(staking.service, { method: 'GET', path: VALIDATORS, headers: { authorization, ...headers } })
  expect([other.status, other.body.code]).toEqual([403, 'OtherOrganization'])
})

type User = ReturnType<StakingUnderTest['user']>

/** An organization with an operator and a viewer, and the header that chooses it. */
async function team() {
  const organizationId = `org-${randomUUID()}`
  const headers = { 'trestle-organization': organizationId }
  const [operator, viewer] = [staking.user(), staking.user()]
  await grant(operator, organizationId, ROLE_PERMISSIONS.operator)
  await grant(viewer, organizationId, ROLE_PERMISSIONS.viewer)
  for (const member of [operator, viewer])
    await eventually(async () => (await member('GET', VALIDATORS, undefined, headers)).status === 200 || undefined, 'the member is known')
  return { organizationId, headers, operator, viewer }
}

function grant({ userId }: User, organizationId: string, permissions: readonly Permission[]): Promise<void> {
  return staking.accounts.grant({ userId, organizationId, permissions: [...permissions] })
}
