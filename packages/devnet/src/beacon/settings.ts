/** What the process of the beacon is told, as JSON. */
export interface BeaconSettings {
  readonly anvilUrl: string
  readonly port: number
  /** Where it is kept when it is stopped; nowhere when left out. */
  readonly file?: string
  /** What the chain says its slots take; the clock keeps to it, unless there is none. */
  readonly secondsPerSlot: number
  /** Only /dev/advance makes slots. */
  readonly byHand: boolean
  readonly genesisTime?: number
  readonly seed: string
  readonly archive: boolean
  readonly verify: boolean
  readonly keymanagers: readonly { readonly name: string; readonly port: number; readonly token: string }[]
}
