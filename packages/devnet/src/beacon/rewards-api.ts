import { SLOTS_PER_EPOCH } from '@lodestar/params'
import type { FastifyInstance } from 'fastify'
import type { AttestationDelta } from './attestation-rewards.js'
import type { BeaconChain } from './beacon-chain.js'
import { ApiError, param, parseStrings, parseWholeNumber } from './http.js'
import { findBlock, findIndices, isFinalized, requireIndices } from './lookup.js'

const REWARDS = '/eth/v1/beacon/rewards'

export function registerRewards(server: FastifyInstance, chain: BeaconChain): void {
  server.get(`${REWARDS}/blocks/:block`, (request) => blockRewards(chain, param(request, 'block')))
  server.post(`${REWARDS}/sync_committee/:block`, (request) =>
    syncRewards(chain, param(request, 'block'), parseStrings(request.body, 'The body')),
  )
  server.post(`${REWARDS}/attestations/:epoch`, (request) =>
    attestationsOf(chain, parseWholeNumber(param(request, 'epoch'), 'The epoch'), parseStrings(request.body, 'The body')),
  )
}

function blockRewards(chain: BeaconChain, id: string) {
  const { slot, rewards } = findBlock(chain, id)
  const { proposer, attestations, syncAggregate, attesterSlashings } = rewards
  return answer(chain, slot, {
    proposer_index: String(proposer),
    total: String(attestations + syncAggregate + attesterSlashings),
    attestations: String(attestations),
    sync_aggregate: String(syncAggregate),
    proposer_slashings: '0',
    attester_slashings: String(attesterSlashings),
  })
}

function syncRewards(chain: BeaconChain, id: string, ids: readonly string[]) {
  const { slot, rewards } = findBlock(chain, id)
  const isWanted = filterOf(chain, ids)
  const rows = [...rewards.sync].filter(([index]) => isWanted(index))
  return answer(
    chain,
    slot,
    rows.map(([index, reward]) => ({ validator_index: String(index), reward: String(reward) })),
  )
}

/** Once the epoch after has ended, for its votes may be in blocks until then. */
function attestationsOf(chain: BeaconChain, epoch: number, ids: readonly string[]) {
  const rewards = chain.history.rewardsOf(epoch)
  if (!rewards) throw new ApiError(404, `There are no rewards of epoch ${epoch} yet, or no longer.`)
  const lastSlot = (epoch + 2) * SLOTS_PER_EPOCH - 1
  const wanted = new Set(requireIndices(chain, ids, (chain.history.state(lastSlot) ?? chain.head).validators.length))
  const isWanted = (index: number) => ids.length === 0 || wanted.has(index)
  const total = [...rewards.total].filter(([index]) => isWanted(index))
  return answer(chain, (epoch + 2) * SLOTS_PER_EPOCH, {
    ideal_rewards: [...rewards.ideal].map(([balance, reward]) => ({ effective_balance: String(balance), ...textOf(reward) })),
    total_rewards: total.map(([index, reward]) => ({ validator_index: String(index), ...textOf(reward) })),
  })
}

function filterOf(chain: BeaconChain, ids: readonly string[]): (index: number) => boolean {
  const wanted = new Set(findIndices(chain, ids))
  return (index) => ids.length === 0 || wanted.has(index)
}

function textOf({ head, target, source, inactivity }: AttestationDelta) {
  // -0 as text is 0.
  return { head: String(head), target: String(target), source: String(source), inactivity: String(inactivity) }
}

function answer(chain: BeaconChain, slot: number, data: unknown) {
  return { execution_optimistic: false, finalized: isFinalized(chain, slot), data }
}
