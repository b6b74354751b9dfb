import type { ValidatorPerformance } from '@trestle/contracts/staking/performance'
import type { Validator } from '@trestle/contracts/staking/validators'
import { ether, etherAndWei } from '../output/amount.js'
import { clock } from '../output/duration.js'
import { type Sheet, stateCell, type Table } from '../output/view.js'

const SHOWN_DIGITS = 12

export function validatorTable(validators: readonly Validator[]): Table {
  return {
    head: ['PUBLIC KEY', 'PHASE', 'BALANCE', 'INDEX', 'REGION', 'NOTE'],
    rows: validators.map(({ pubkey, phase, slashed, balance, index, region, note }) => [
      pubkey,
      stateCell(slashed ? 'slashed' : phase),
      ether(balance),
      index,
      region,
      note,
    ]),
    none: 'No validators. Create one: trestle validators create --withdrawal-address 0x...',
  }
}

export function validatorSheet(validator: Validator): Sheet {
  const { chain, pubkey, phase, slashed, status, note, region, balance, effectiveBalance, withdrawalAddress, feeAddress, compounding } =
    validator
  const steps = [
    ['created', validator.startedAt],
    ['ready', validator.readyAt],
    ['deposited', validator.depositedAt],
    ['active', validator.activatedAt],
    ['exit requested', validator.exitRequestedAt],
    ['exiting', validator.exitingAt],
    ['exited', validator.exitedAt],
    ['withdrawn', validator.withdrawnAt],
  ] as const
  return {
    fields: [
      ['public key', pubkey],
      ['chain', `${chain}, region ${region}`],
      ['phase', stateCell(slashed ? 'slashed' : phase)],
      ['status', status],
      ['note', note],
      ['index', validator.index],
      ['balance', etherAndWei(balance)],
      ['effective', etherAndWei(effectiveBalance)],
      ['withdrawals to', `${withdrawalAddress}${compounding ? ', compounding' : ''}`],
      ['fees to', feeAddress],
      ...steps.map(([name, time]) => [name, time ? `${clock(time)} UTC` : undefined] as const),
      ['deposit data', validator.depositData],
    ],
  }
}

export function performanceSheet(performance: ValidatorPerformance): Sheet {
  const { pubkey, from, to, apr, consensusApr, executionApr, balance, effectiveBalance } = performance
  return {
    fields: [
      ['public key', pubkey],
      ['days', `${from} to ${to}`],
      ['APR', `${apr} % (consensus ${consensusApr} %, execution ${executionApr} %)`],
      ['balance', etherAndWei(balance)],
      ['effective', etherAndWei(effectiveBalance)],
      ['rewards', etherAndWei(performance.consensusRewards)],
      ['penalties', etherAndWei(performance.consensusPenalties)],
      ['fees and tips', etherAndWei(performance.executionRewards)],
    ],
  }
}

/** A public key as typed, in the platform's format. */
export function plainKey(key: string): string {
  return key.trim().replace(/^0x/i, '').toLowerCase()
}

/** The beginning of a key, enough to recognize it in a question. */
export function shortKey(key: string): string {
  return `${plainKey(key).slice(0, SHOWN_DIGITS)}...`
}
