import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { SavedChain } from './beacon-chain.js'
import type { SavedExecution } from './execution.js'
import type { SavedSigners } from './signers.js'

/** Everything of a beacon that was stopped. */
export interface BeaconSnapshot {
  readonly genesisTime: number
  /** Where the first payload began. */
  readonly genesisHash: string
  readonly secondsPerSlot: number
  readonly seed: string
  readonly execution: SavedExecution
  readonly chain: SavedChain
  readonly signers: SavedSigners
}

// Another version's file is none.
const VERSION = 1

export function writeSnapshot(file: string, snapshot: BeaconSnapshot): void {
  mkdirSync(dirname(file), { recursive: true })
  // It has the keys of the keymanagers.
  writeFileSync(`${file}.new`, serialize({ version: VERSION, snapshot }), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** The stored snapshot, if this version of Node can read it. */
export function readSnapshot(file: string): BeaconSnapshot | undefined {
  if (!existsSync(file)) return undefined
  try {
    const { version, snapshot }: { version: number; snapshot: BeaconSnapshot } = deserialize(readFileSync(file))
    return version === VERSION ? snapshot : undefined
  } catch {
    return undefined
  }
}
