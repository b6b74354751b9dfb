import type { BeaconValidator } from '../src/chains/beacon-responses.js'

export interface ModelAccount {
  index: number
  pubkey: Buffer
  credentials: Buffer
  balance: bigint
  effective: bigint
  slashed: boolean
  activation?: number
  exit?: number
}

/** What the chain did to a validator on a day, in gwei. */
export interface DayChanges {
  withdrawals: bigint
  deposits: bigint
  rewards: bigint
  penalties: bigint
  stake: bigint
  active: number
  unexplained: bigint
}

/** Those of a state that a request names. */
export function validatorsOf(state: readonly ModelAccount[], ids: readonly (number | Buffer)[]): BeaconValidator[] {
  const requested = new Set(ids.map((id) => (typeof id === 'number' ? String(id) : id.toString('hex'))))
  return state
    .filter(({ index, pubkey }) => requested.has(String(index)) || requested.has(pubkey.toString('hex')))
    .map((account) => ({
      index: account.index,
      pubkey: account.pubkey,
      status: 'active_ongoing',
      balanceGwei: account.balance,
      effectiveBalanceGwei: account.effective,
      slashed: account.slashed,
      activationEpoch: account.activation,
      exitEpoch: account.exit,
      withdrawalCredentials: account.credentials,
    }))
}
