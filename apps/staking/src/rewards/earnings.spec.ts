import { chainRatesOf, NO_EARNINGS, ratesOf } from './earnings.js'

const MAINNET_EPOCH_MS = 384_000

describe(ratesOf, () => {
  it('is the percentage per year of the stake, net of penalties', () => {
    // 32 ETH for 82181.25 epochs are a year; here a hundredth of it, and a hundredth of an ETH.
    const earned = {
      ...NO_EARNINGS,
      stakeEthEpochs: 32n * 8_218_125n,
      consensusRewardsWei: 110_000_000_000_000_000_000n,
      consensusPenaltiesWei: 14_000_000_000_000_000_000n,
      executionRewardsWei: 32_000_000_000_000_000_000n,
    }
    expect(ratesOf(earned, MAINNET_EPOCH_MS)).toEqual({ consensusApr: 3, executionApr: 1, apr: 4 })
  })

  it('is 0 for a validator that was never active', () => {
    expect(ratesOf(NO_EARNINGS, 0)).toEqual({ consensusApr: 0, executionApr: 0, apr: 0 })
  })

  it('is negative if penalties exceed rewards', () => {
    expect(ratesOf({ ...NO_EARNINGS, stakeEthEpochs: 32n, consensusPenaltiesWei: 11_104_000_000_000n }, MAINNET_EPOCH_MS).apr).toBeLessThan(
      0,
    )
  })
})

describe(chainRatesOf, () => {
  it('is 2.85 % with 34 million ETH staked', () => {
    // 347 gwei for an ETH and epoch, 54 of 64 parts of them for attestations.
    const idealGwei = (347n * 32n * 54n) / 64n
    const { consensusApr } = chainRatesOf({ idealGwei, epochMs: MAINNET_EPOCH_MS }, { stakeEthEpochs: 0n, executionRewardsWei: 0n })
    expect(consensusApr).toBeCloseTo(2.851, 2)
  })

  it('is 0 if nothing is known', () => {
    const nothing = { stakeEthEpochs: 0n, executionRewardsWei: 0n }
    expect(chainRatesOf({ idealGwei: 0n, epochMs: 0 }, nothing)).toEqual({ apr: 0, consensusApr: 0, executionApr: 0 })
  })
})
