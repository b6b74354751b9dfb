import { bookArrival, bookEpoch, type EpochFacts, isUnexplained, type LedgerLine } from './epoch-booking.js'
import type { Booking } from './ledger.js'
import type { Breakdown } from './reward-parts.js'

interface Balance {
  readonly balanceGwei: bigint
  readonly effectiveBalanceGwei: bigint
}

/** A validator in an epoch, as its two states say. */
export interface ValidatorEpoch {
  readonly serial: number
  readonly index: number
  readonly pubkey: Buffer
  readonly slashed: boolean
  readonly isActive: boolean
  readonly hadToAttest: boolean
  readonly closing: Balance
  /** Undefined: it was not on the chain. */
  readonly opening: Balance | undefined
}

interface EpochMovements {
  readonly withdrawnGwei: ReadonlyMap<number, bigint>
  readonly breakdown: Breakdown | undefined
}

/** Those of which it has to be asked what was credited to them. */
export function unexplainedOf(courses: readonly ValidatorEpoch[], movements: EpochMovements): ValidatorEpoch[] {
  return courses.filter((course) => course.opening && isUnexplained(factsOf(course, course.opening, movements, 0n)))
}

/** The lines of an epoch. `credited` is by public key, and may leave out those that are explained without. */
export function bookingsOf(
  courses: readonly ValidatorEpoch[],
  movements: EpochMovements,
  credited: ReadonlyMap<string, bigint>,
): Booking[] {
  return courses.map((course) => ({
    serial: course.serial,
    line: lineOf(course, movements, credited),
    closing: { index: course.index, slashed: course.slashed, ...course.closing },
    stakeGwei: course.isActive ? (course.opening?.effectiveBalanceGwei ?? 0n) : 0n,
    duties: movements.breakdown?.dutiesOf(course.index, course.hadToAttest),
  }))
}

function lineOf(course: ValidatorEpoch, movements: EpochMovements, credited: ReadonlyMap<string, bigint>): LedgerLine {
  const { opening, closing, index, pubkey } = course
  const withdrawnGwei = movements.withdrawnGwei.get(index) ?? 0n
  if (!opening) return bookArrival({ closingGwei: closing.balanceGwei, withdrawnGwei })
  return bookEpoch(factsOf(course, opening, movements, credited.get(pubkey.toString('hex')) ?? 0n))
}

function factsOf(
  { index, slashed, closing }: ValidatorEpoch,
  opening: Balance,
  movements: EpochMovements,
  creditedGwei: bigint,
): EpochFacts {
  return {
    openingGwei: opening.balanceGwei,
    closingGwei: closing.balanceGwei,
    withdrawnGwei: movements.withdrawnGwei.get(index) ?? 0n,
    creditedGwei,
    slashed,
    parts: movements.breakdown?.partsOf(index),
  }
}
