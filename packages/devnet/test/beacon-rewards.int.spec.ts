import { BeaconHarness, type BlockJson, type ValidatorJson } from './beacon-harness.js'

interface AttestationRewards {
  readonly ideal_rewards: readonly Reward[]
  readonly total_rewards: readonly (Reward & { readonly validator_index: string })[]
}

interface Reward {
  readonly head: string
  readonly target: string
  readonly source: string
  readonly inactivity: string
}

const SLOTS_PER_EPOCH = 8

let harness: BeaconHarness
beforeAll(async () => {
  harness = await BeaconHarness.open()
})
afterAll(() => harness.close())

describe('The rewards of the dev beacon', () => {
  it('are the differences of all balances, to the gwei, with validators that are away, paid out or slashed', async () => {
    const { pubkey } = await harness.stake(1, '0x00000000000000000000000000000000000a11ce')
    const away = await pubkeysOf([5, 6])
    await harness.post('/dev/offline', { pubkeys: away, offline: true })
    await harness.until(pubkey, 'active_ongoing')
    const from = await epoch()
    const [slashed] = await pubkeysOf([7])
    await harness.post('/dev/slash', { pubkey: slashed })
    await harness.advance(4)
    // MIN_SLASHING_PENALTY_QUOTIENT_ELECTRA; what else a slashing costs is due much later.
    await expectExact(from, from + 4, { 7: -32_000_000_000 / 4096 })
  })

  it('take from who is away what it would have earned by source and target', async () => {
    await harness.advance(3)
    const { ideal_rewards, total_rewards } = await attestations((await epoch()) - 2, ['5', '1'])
    const [ideal] = ideal_rewards
    const byIndex = Object.fromEntries(total_rewards.map((reward) => [reward.validator_index, reward]))
    expect(byIndex['1']).toEqual({ validator_index: '1', head: ideal?.head, target: ideal?.target, source: ideal?.source, inactivity: '0' })
    expect(byIndex['5']).toMatchObject({ head: '0', inactivity: '0' })
    expect(Number(byIndex['5']?.target)).toBeLessThan(-Number(ideal?.target))
    expect(Number(byIndex['5']?.source)).toBeLessThan(-Number(ideal?.source))
  })

  it('are exact while nothing is final too, when inactivity leaks', async () => {
    const away = await pubkeysOf(Array.from({ length: 24 }, (_, index) => index))
    await harness.post('/dev/offline', { pubkeys: away, offline: true })
    await harness.advance(8)
    const from = await epoch()
    const finalized = await finalizedEpoch()
    await harness.advance(3)
    expect(await finalizedEpoch()).toBe(finalized)
    await expectExact(from, from + 3)
    const { total_rewards } = await attestations(from, ['0'])
    expect(Number(total_rewards[0]?.inactivity)).toBeLessThan(0)
    await harness.post('/dev/offline', { pubkeys: away, offline: false })
    await harness.advance(6)
    expect(await finalizedEpoch()).toBeGreaterThan(finalized)
  })

  it('are not there for an epoch whose votes may still come, or a slot without a block', async () => {
    const now = await epoch()
    expect(await harness.post(`/eth/v1/beacon/rewards/attestations/${now - 1}`, [])).toMatchObject({ status: 404, body: { code: 404 } })
    expect(await harness.post('/eth/v1/beacon/rewards/attestations/x', [])).toMatchObject({ status: 400 })
    expect(await harness.get(`/eth/v1/beacon/rewards/blocks/${now * SLOTS_PER_EPOCH + 100}`)).toMatchObject({ status: 404 })
  })

  /** For every validator: what it has in the first slot of an epoch, and what it had in that of an earlier one. */
  async function expectExact(from: number, to: number, besides: Record<string, number> = {}) {
    const [before, after] = await Promise.all([balances(from), balances(to)])
    const expected = new Map(before)
    const add = (index: string, gwei: string | number) => expected.set(index, (expected.get(index) ?? 0) + Number(gwei))
    for (const [index, gwei] of Object.entries(besides)) add(index, gwei)
    for (let epoch = from + 1; epoch <= to; epoch++)
      for (const reward of (await attestations(epoch - 2, [])).total_rewards)
        for (const part of ['head', 'target', 'source', 'inactivity'] as const) add(reward.validator_index, reward[part])
    for (let slot = from * SLOTS_PER_EPOCH + 1; slot <= to * SLOTS_PER_EPOCH; slot++) {
      const block = await harness.get<{ data: BlockJson }>(`/eth/v2/beacon/blocks/${slot}`)
      if (block.status === 404) continue
      const proposal = await harness.data<{ proposer_index: string; total: string }>(`/eth/v1/beacon/rewards/blocks/${slot}`)
      add(proposal.proposer_index, proposal.total)
      const sync = await harness.data<{ validator_index: string; reward: string }[]>(`/eth/v1/beacon/rewards/sync_committee/${slot}`, [])
      for (const { validator_index, reward } of sync) add(validator_index, reward)
      for (const { validator_index, amount } of block.body.data.message.body.execution_payload.withdrawals) add(validator_index, -amount)
    }
    expect([...after]).toEqual([...expected])
  }

  async function balances(epoch: number): Promise<Map<string, number>> {
    const rows = await harness.data<{ index: string; balance: string }[]>(
      `/eth/v1/beacon/states/${epoch * SLOTS_PER_EPOCH}/validator_balances`,
    )
    return new Map(rows.map(({ index, balance }) => [index, Number(balance)]))
  }

  function attestations(epoch: number, ids: readonly string[]): Promise<AttestationRewards> {
    return harness.data(`/eth/v1/beacon/rewards/attestations/${epoch}`, ids)
  }

  async function epoch(): Promise<number> {
    return (await harness.get<{ epoch: number }>('/dev/status')).body.epoch
  }

  async function finalizedEpoch(): Promise<number> {
    return (await harness.get<{ finalizedEpoch: number }>('/dev/status')).body.finalizedEpoch
  }

  async function pubkeysOf(indices: readonly number[]): Promise<string[]> {
    const rows = await harness.data<ValidatorJson[]>('/eth/v1/beacon/states/head/validators', { ids: indices.map(String) })
    return rows.map(({ validator }) => validator.pubkey)
  }
})
