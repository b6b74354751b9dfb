import { bookArrival, bookEpoch, type EpochFacts, type LedgerLine, needsPrincipal } from './epoch-booking.js'
import type { Booking } from './ledger.js'
import type { Breakdown } from './reward-parts.js'

interface Balance {
  readonly balanceGwei: bigint
  readonly effectiveBalanceGwei: bigint
}

/** A validator at the beginning and the end of an epoch. */
export interface ValidatorEpoch {
  readonly serial: number
  readonly index: number
  readonly pubkey: Buffer
  readonly slashed: boolean
  readonly isActive: boolean
  readonly hadToAttest: boolean
  readonly closing: Balance
  /** Undefined if it was not on the chain. */
  readonly opening: Balance | undefined
}

interface EpochMovements {
  readonly withdrawnGwei: ReadonlyMap<number, bigint>
  readonly breakdown: Breakdown | undefined
}

/** The validators whose principal must be looked up. */
export function withOpenPrincipal(epochs: readonly ValidatorEpoch[], movements: EpochMovements): ValidatorEpoch[] {
  return epochs.filter((epoch) => epoch.opening && needsPrincipal(factsOf(epoch, epoch.opening, movements)))
}

/** What is principal, by index, and whether inactivity leaks. */
interface KnownPrincipal {
  readonly gwei: ReadonlyMap<number, bigint>
  readonly isLeaking: boolean
}

/** The bookings of an epoch. `principal` is undefined if no node shows all of it. */
export function bookingsOf(epochs: readonly ValidatorEpoch[], movements: EpochMovements, principal: KnownPrincipal | undefined): Booking[] {
  return epochs.map((epoch) => ({
    serial: epoch.serial,
    line: lineOf(epoch, movements, principal),
    closing: { index: epoch.index, slashed: epoch.slashed, ...epoch.closing },
    stakeGwei: epoch.isActive ? (epoch.opening?.effectiveBalanceGwei ?? 0n) : 0n,
    duties: movements.breakdown?.dutiesOf(epoch.index, epoch.hadToAttest),
  }))
}

function lineOf(epoch: ValidatorEpoch, movements: EpochMovements, principal: KnownPrincipal | undefined): LedgerLine {
  const { opening, closing, index } = epoch
  const withdrawnGwei = movements.withdrawnGwei.get(index) ?? 0n
  if (!opening) return bookArrival({ closingGwei: closing.balanceGwei, withdrawnGwei })
  const principalGwei = principal && (principal.gwei.get(index) ?? 0n)
  return bookEpoch({ ...factsOf(epoch, opening, movements), principalGwei, isLeaking: principal?.isLeaking ?? false })
}

function factsOf(
  { index, slashed, closing }: ValidatorEpoch,
  opening: Balance,
  movements: EpochMovements,
): Omit<EpochFacts, 'principalGwei' | 'isLeaking'> {
  return {
    openingGwei: opening.balanceGwei,
    closingGwei: closing.balanceGwei,
    withdrawnGwei: movements.withdrawnGwei.get(index) ?? 0n,
    effectiveGwei: opening.effectiveBalanceGwei,
    slashed,
    parts: movements.breakdown?.partsOf(index),
  }
}
