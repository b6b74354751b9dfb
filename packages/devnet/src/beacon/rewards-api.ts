import { SLOTS_PER_EPOCH } from '@lodestar/params'
import type { FastifyInstance } from 'fastify'
import type { AttestationReward } from './attestation-rewards.js'
import type { Chain } from './chain.js'
import { param, Refusal, texts, whole } from './http.js'
import { blockOfId, isFinalized, validatorsOf } from './lookup.js'

const REWARDS = '/eth/v1/beacon/rewards'

export function registerRewards(server: FastifyInstance, chain: Chain): void {
  server.get(`${REWARDS}/blocks/:block`, (request) => blockRewards(chain, param(request, 'block')))
  server.post(`${REWARDS}/sync_committee/:block`, (request) => syncRewards(chain, param(request, 'block'), texts(request.body, 'The body')))
  server.post(`${REWARDS}/attestations/:epoch`, (request) =>
    attestationsOf(chain, whole(param(request, 'epoch'), 'The epoch'), texts(request.body, 'The body')),
  )
}

function blockRewards(chain: Chain, id: string) {
  const { slot, rewards } = blockOfId(chain, id)
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

function syncRewards(chain: Chain, id: string, ids: readonly string[]) {
  const { slot, rewards } = blockOfId(chain, id)
  const isWanted = filterOf(chain, ids)
  const rows = [...rewards.sync].filter(([index]) => isWanted(index))
  return answer(
    chain,
    slot,
    rows.map(([index, reward]) => ({ validator_index: String(index), reward: String(reward) })),
  )
}

/** Once the epoch after has ended, for its votes may be in blocks until then. */
function attestationsOf(chain: Chain, epoch: number, ids: readonly string[]) {
  const rewards = chain.history.rewardsOf(epoch)
  if (!rewards) throw new Refusal(404, `There are no rewards of epoch ${epoch} yet, or no longer.`)
  const isWanted = filterOf(chain, ids)
  const total = [...rewards.total].filter(([index]) => isWanted(index))
  return answer(chain, (epoch + 2) * SLOTS_PER_EPOCH, {
    ideal_rewards: [...rewards.ideal].map(([balance, reward]) => ({ effective_balance: String(balance), ...textOf(reward) })),
    total_rewards: total.map(([index, reward]) => ({ validator_index: String(index), ...textOf(reward) })),
  })
}

function filterOf(chain: Chain, ids: readonly string[]): (index: number) => boolean {
  const wanted = new Set(validatorsOf(chain, ids))
  return (index) => ids.length === 0 || wanted.has(index)
}

function textOf({ head, target, source, inactivity }: AttestationReward) {
  // -0 as text is 0.
  return { head: String(head), target: String(target), source: String(source), inactivity: String(inactivity) }
}

function answer(chain: Chain, slot: number, data: unknown) {
  return { execution_optimistic: false, finalized: isFinalized(chain, slot), data }
}
