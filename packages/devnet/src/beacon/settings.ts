/** The settings of the beacon's process, as JSON. */
export interface BeaconSettings {
  readonly anvilUrl: string
  readonly port: number
  /** Where the snapshot is stored when it stops; none if left out. */
  readonly file?: string
  /** The slot time that the chain reports, and that the clock keeps unless `byHand`. */
  readonly secondsPerSlot: number
  /** Only /dev/advance makes slots. */
  readonly byHand: boolean
  readonly genesisTime?: number
  readonly seed: string
  readonly archive: boolean
  readonly verify: boolean
  readonly keymanagers: readonly { readonly name: string; readonly port: number; readonly token: string }[]
}
