import { userDeleted } from '@trestle/contracts/accounts/messages'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { eventually } from '@trestle/testing/eventually'
import { type StakingUnderTest, startStakingUnderTest } from './staking-under-test.js'

const ADDRESS = '0x0f51bb10119727a7e5ea3538074fb341f56b09ad'
const VALIDATORS = '/dev/validators'

let staking: StakingUnderTest
let owner: ReturnType<StakingUnderTest['user']>
beforeAll(async () => {
  staking = await startStakingUnderTest()
  owner = staking.user()
})
afterAll(() => staking.stop())

describe('the validators of a deleted user', () => {
  it('are counted by what becomes of them, and those without a deposit are removed', async () => {
    const create = async () => ready((await owner('POST', VALIDATORS, { withdrawalAddress: ADDRESS })).body)
    const [deposited, unused, removed] = [await create(), await create(), await create()]
    await staking.deposit(deposited.depositData)
    await eventually(
      async () => (await owner('GET', `${VALIDATORS}/${deposited.pubkey}`)).body.depositedAt ?? undefined,
      'the deposit is seen',
    )
    await owner('DELETE', `${VALIDATORS}/${removed.pubkey}`)
    const count = () => staking.accounts.countResources('staking', personalOrganizationOf(owner.userId))
    expect(await count()).toEqual([
      { kind: 'validator', state: expect.stringMatching(/deposited|queued/), count: 1, effect: 'blocks' },
      { kind: 'validator', state: 'ready', count: 1, effect: 'deleted' },
      { kind: 'validator', state: 'removed', count: 1, effect: 'kept' },
    ])
    const deleted = { userId: owner.userId, deletedAt: new Date().toISOString() }
    await staking.accounts.publish(userDeleted, deleted)
    await staking.accounts.publish(userDeleted, deleted)
    await eventually(
      async () => (await owner('GET', `${VALIDATORS}/${unused.pubkey}`)).status === 404 || undefined,
      'the unused one is removed',
    )
    // Its stake needs it; its key stays where it is.
    expect((await owner('GET', `${VALIDATORS}/${deposited.pubkey}`)).status).toBe(200)
    const { rows } = await staking.sql.query('SELECT count(*)::int AS count FROM validator WHERE user_id = $1', [owner.userId])
    expect(rows).toEqual([{ count: 3 }])
  })
})

async function ready<V extends { pubkey: string; depositData: string }>(validator: V): Promise<V> {
  await eventually(
    async () => (await owner('GET', `${VALIDATORS}/${validator.pubkey}`)).body.phase === 'ready' || undefined,
    'its validator client has it',
  )
  return validator
}
