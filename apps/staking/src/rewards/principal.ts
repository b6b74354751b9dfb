import type { PendingConsolidation } from '../chains/beacon-responses.js'

/** A deposit that is not credited yet, or one in a block. */
export interface DepositAmount {
  readonly pubkey: Buffer
  readonly amountGwei: bigint
}

/** A validator whose stake was queued to go to another one, at the beginning of the epoch. */
interface ConsolidationSource {
  readonly balanceGwei: bigint
  readonly effectiveBalanceGwei: bigint
  /** At the end of the epoch: then the chain has dropped its consolidation. */
  readonly slashed: boolean
}

/**
 * What deposits added between two states, by public key: what was queued or arrived in a block, and is not queued any more. What the chain has
 * set aside (when a validator switches to compounding, its balance above 32 ETH) has left the balance, and is negative until it is credited.
 */
export function depositedGwei(
  before: readonly DepositAmount[],
  arrived: readonly DepositAmount[],
  after: readonly DepositAmount[],
): Map<string, bigint> {
  const deposited = new Map<string, bigint>()
  const add = ({ pubkey, amountGwei }: DepositAmount, sign: bigint) => {
    const key = pubkey.toString('hex')
    deposited.set(key, (deposited.get(key) ?? 0n) + sign * amountGwei)
  }
  for (const deposit of [...before, ...arrived]) add(deposit, 1n)
  for (const deposit of after) add(deposit, -1n)
  return new Map([...deposited].filter(([, gwei]) => gwei !== 0n))
}

/** The consolidations that left the queue. */
export function processed(before: readonly PendingConsolidation[], after: readonly PendingConsolidation[]): PendingConsolidation[] {
  const left = new Set(after.map(keyOf))
  return before.filter((consolidation) => !left.has(keyOf(consolidation)))
}

/** What a consolidation moved (consensus-specs, electra/beacon-chain.md, process_pending_consolidations). */
export function consolidatedGwei(source: ConsolidationSource, addedGwei: bigint, withdrawnGwei: bigint): bigint {
  if (source.slashed) return 0n
  const balance = source.balanceGwei + addedGwei - withdrawnGwei
  if (balance < source.effectiveBalanceGwei) return balance
  return source.effectiveBalanceGwei
}

function keyOf({ sourceIndex, targetIndex }: PendingConsolidation): string {
  return `${sourceIndex} ${targetIndex}`
}
