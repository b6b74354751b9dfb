import { describeDay, type LedgerDay } from './validator-day.js'

describe(describeDay, () => {
  it('counts rounding as a gain or a loss, so that the day explains the balance', () => {
    expect(describeDay(day({ roundingGwei: 3n }))).toMatchObject({ consensusRewards: '103000000000', consensusPenalties: '7000000000' })
    expect(describeDay(day({ roundingGwei: -3n }))).toMatchObject({ consensusRewards: '100000000000', consensusPenalties: '10000000000' })
  })

  it('shows apart what nobody can explain, as neither a reward nor a penalty', () => {
    const shown = describeDay(day({ unexplainedGwei: -5n }))
    expect(shown).toMatchObject({ unexplained: '-5000000000', consensusRewards: '100000000000', consensusPenalties: '7000000000' })
  })

  it.each([
    ['for a day before duties were counted', { attestations: undefined, syncDuties: undefined, activeEpochs: 225 }],
    ['for a day that no node reported', { attestations: { due: 0, missed: 0 }, activeEpochs: 225 }],
  ])('leaves out attestations and sync duties %s', (_, more) => {
    const unknown = { attestations: null, missedAttestations: null, syncDuties: null, missedSyncDuties: null }
    expect(describeDay(day(more))).toMatchObject({ ...unknown, proposals: 1, missedProposals: 0 })
  })

  it('shows zero duties before it was active, and in its first epoch', () => {
    const nothing = { attestations: 0, missedAttestations: 0, syncDuties: 0, missedSyncDuties: 0 }
    const counts = { attestations: { due: 0, missed: 0 }, syncDuties: { due: 0, missed: 0 } }
    for (const activeEpochs of [0, 1]) expect(describeDay(day({ ...counts, activeEpochs }))).toMatchObject(nothing)
  })

  it('leaves out proposals if no node named the proposer of an empty slot', () => {
    expect(describeDay(day({ proposals: undefined }))).toMatchObject({ proposals: null, missedProposals: null, attestations: 225 })
  })
})

function day(overrides: Partial<LedgerDay> = {}): LedgerDay {
  return {
    day: '2026-11-01',
    isSealed: true,
    balanceGwei: 32_000_000_000n,
    effectiveEth: 32,
    withdrawalsGwei: 0n,
    depositsGwei: 0n,
    rewardsGwei: 100n,
    penaltiesGwei: 7n,
    roundingGwei: 0n,
    unexplainedGwei: 0n,
    executionRewardsWei: 1n,
    activeEpochs: 225,
    attestations: { due: 225, missed: 1 },
    syncDuties: { due: 31, missed: 0 },
    proposals: { due: 1, missed: 0 },
    ...overrides,
  }
}
