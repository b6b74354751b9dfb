import { SLOTS_PER_EPOCH } from '@lodestar/params'
import { formatHex, parseHex } from '@trestle/ethereum/hex'
import type { BeaconChain } from './beacon-chain.js'
import type { BlockRecord, StateView } from './history.js'
import { ApiError, parseWholeNumber } from './http.js'

/** The state of an id of the Beacon API: head, genesis, finalized, justified, a slot, a root. */
export function findState(chain: BeaconChain, id: string): StateView {
  const slot = slotOfState(chain, id)
  const state = slot === undefined ? undefined : chain.history.state(slot)
  if (!state) throw new ApiError(404, `There is no state ${id}, or it is no longer kept.`)
  return state
}

/** The block with this id; throws for an empty slot. As Prysm does, serves an orphan where the chain has no block. */
export function findBlock(chain: BeaconChain, id: string): BlockRecord {
  const { history } = chain
  const block = isRoot(id) ? (history.blockOfRoot(id.toLowerCase()) ?? history.orphanOfRoot(id.toLowerCase())) : blockAt(chain, id)
  if (!block) throw new ApiError(404, `There is no block ${id}, or it is no longer kept.`)
  return block
}

/** The indices of existing validators, each given as an index or a public key. */
export function findIndices(chain: BeaconChain, ids: readonly string[]): number[] {
  const indices = ids.map((id) => findIndex(chain, id)).filter((index) => index !== undefined)
  return [...new Set(indices)].sort((a, b) => a - b)
}

export function findIndex({ head }: BeaconChain, id: string): number | undefined {
  if (/^[0-9]{1,15}$/.test(id)) return Number(id) < head.validators.length ? Number(id) : undefined
  if (!/^0x[0-9a-fA-F]{96}$/.test(id)) throw new ApiError(400, `Neither an index nor a public key: ${id}`)
  const pubkey = parseHex(id)
  const index = head.epochCtx.pubkeyCache.getIndex(pubkey)
  if (index === null || index >= head.validators.length) return undefined
  return formatHex(head.validators.getReadonly(index).pubkey) === formatHex(pubkey) ? index : undefined
}

/** The indices of validators; as Prysm does, refuses all if one of them did not exist. */
export function requireIndices(chain: BeaconChain, ids: readonly string[], count: number): number[] {
  return ids.map((id) => {
    const index = findIndex(chain, id)
    if (index === undefined || index >= count) throw new ApiError(400, `No validator index found for ${id}.`)
    return index
  })
}

/** Of the answers about a block: Prysm calls an orphan optimistic, and finalized by its slot. */
export function isOrphan({ history }: BeaconChain, { root }: BlockRecord): boolean {
  return history.orphanOfRoot(root) !== undefined
}

export function isFinalized({ head }: BeaconChain, slot: number): boolean {
  return slot <= head.finalizedCheckpoint.epoch * SLOTS_PER_EPOCH
}

function slotOfState(chain: BeaconChain, id: string): number | undefined {
  if (isRoot(id)) return chain.history.slotOfStateRoot(id.toLowerCase())
  return slotOf(chain, id)
}

function blockAt(chain: BeaconChain, id: string): BlockRecord | undefined {
  let slot = slotOf(chain, id)
  // The block of the head or of a checkpoint is the last one up to its slot.
  if (id === 'head' || id === 'finalized' || id === 'justified') while (slot > 0 && !chain.history.block(slot)) slot--
  return chain.history.block(slot) ?? chain.history.orphan(slot)
}

function slotOf({ head, reportedSlot }: BeaconChain, id: string): number {
  if (id === 'head') return reportedSlot
  if (id === 'genesis') return 0
  if (id === 'finalized') return head.finalizedCheckpoint.epoch * SLOTS_PER_EPOCH
  if (id === 'justified') return head.currentJustifiedCheckpoint.epoch * SLOTS_PER_EPOCH
  return parseWholeNumber(id, 'The id')
}

function isRoot(id: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(id)
}
