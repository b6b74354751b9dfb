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

/** The block with this id; throws for an empty slot. */
export function findBlock(chain: BeaconChain, id: string): BlockRecord {
  const block = isRoot(id) ? chain.history.blockOfRoot(id.toLowerCase()) : blockAt(chain, id)
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

export function isFinalized({ head }: BeaconChain, slot: number): boolean {
  return slot <= head.finalizedCheckpoint.epoch * SLOTS_PER_EPOCH
}

function slotOfState(chain: BeaconChain, id: string): number | undefined {
  if (isRoot(id)) return chain.history.slotOfStateRoot(id.toLowerCase())
  return slotOf(chain, id)
}

function blockAt(chain: BeaconChain, id: string): BlockRecord | undefined {
  if (id === 'head') return chain.history.block(chain.slotOfHeadBlock)
  let slot = slotOf(chain, id)
  // The block of a checkpoint is the last one up to its slot.
  if (id === 'finalized' || id === 'justified') while (slot > 0 && !chain.history.block(slot)) slot--
  return chain.history.block(slot)
}

function slotOf({ head }: BeaconChain, id: string): number {
  if (id === 'head') return head.slot
  if (id === 'genesis') return 0
  if (id === 'finalized') return head.finalizedCheckpoint.epoch * SLOTS_PER_EPOCH
  if (id === 'justified') return head.currentJustifiedCheckpoint.epoch * SLOTS_PER_EPOCH
  return parseWholeNumber(id, 'The id')
}

function isRoot(id: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(id)
}
