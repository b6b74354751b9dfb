import { randomUUID } from 'node:crypto'
import { type Permission, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
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
      const { body } = await member('GET', VALIDATORS, undefined, headers)
      expect(body).toMatchObject([{ pubkey, user: operator.userId }])
      expect((await member('GET', `${VALIDATORS}?organization=${organizationId}`)).body).toEqual(body)
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
