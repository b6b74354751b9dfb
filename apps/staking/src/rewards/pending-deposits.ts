/** A deposit that is not credited yet (EIP-7251). */
export interface QueuedDeposit {
  readonly pubkey: Buffer
  readonly amountGwei: bigint
  readonly slot: number
}

// EIP-7251: when a validator switches to compounding, its balance above 32 ETH is queued as a deposit of slot 0.
const SET_ASIDE_SLOT = 0

/**
 * What was credited between two states, by public key: deposits that left the queue. What was set aside meanwhile has left the balance,
 * and counts as negative until it is credited.
 */
export function creditedGwei(before: readonly QueuedDeposit[], after: readonly QueuedDeposit[]): Map<string, bigint> {
  const credited = new Map<string, bigint>()
  const add = (deposit: QueuedDeposit, sign: bigint) => {
    const key = deposit.pubkey.toString('hex')
    credited.set(key, (credited.get(key) ?? 0n) + sign * deposit.amountGwei)
  }
  for (const deposit of without(before, after)) add(deposit, 1n)
  for (const deposit of without(after, before)) if (deposit.slot === SET_ASIDE_SLOT) add(deposit, -1n)
  return credited
}

/** The first list without the elements of the second, each as often as it occurs there. */
function without(from: readonly QueuedDeposit[], removed: readonly QueuedDeposit[]): QueuedDeposit[] {
  const left = new Map<string, number>()
  for (const deposit of removed) left.set(keyOf(deposit), (left.get(keyOf(deposit)) ?? 0) + 1)
  return from.filter((deposit) => {
    const count = left.get(keyOf(deposit)) ?? 0
    left.set(keyOf(deposit), count - 1)
    return count <= 0
  })
}

function keyOf({ pubkey, amountGwei, slot }: QueuedDeposit): string {
  return `${pubkey.toString('hex')}:${amountGwei}:${slot}`
}
