import { leakyBucket } from '../throttling/throttle.js'

/** Of an empty platform: a fraction of a second on a laptop, seconds on an old phone. */
export const MIN_DIFFICULTY = 17
/** During the worst flood people still have to be able to sign up: seconds on a laptop, a minute on an old phone. */
export const MAX_DIFFICULTY = 22
/** A challenge that was issued before a flood suffices during it if it is easier by no more than this. */
const TOLERANCE = 2
/** So many sign-ups at once, and one every ten seconds, are no flood. */
const CALM = 30

/** Counts the sign-ups of the whole platform. */
export const FLOOD_GAUGE = leakyBucket(CALM, 5 * 60_000)

/** The zero bits to find; each doubling of the sign-ups beyond what is calm doubles the work, up to a bound. */
export function requiredDifficulty(signUps: number): number {
  return Math.min(MAX_DIFFICULTY, MIN_DIFFICULTY + Math.floor(Math.log2(Math.max(1, signUps / CALM))))
}

/** Whether a challenge is hard enough for now: who collects easy ones before a flood gains little. */
export function isHardEnough(difficulty: number, signUps: number): boolean {
  return difficulty >= requiredDifficulty(signUps) - TOLERANCE
}
