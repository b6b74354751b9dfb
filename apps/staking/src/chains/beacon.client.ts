import { formatExit, type SignedVoluntaryExit } from '@trestle/ethereum/voluntary-exit'
import { messageOf } from '@trestle/problem/thrown'
import { BeaconNodeClient, type NetworkCheck } from './beacon-node.client.js'
import {
  type AttestationRewards,
  AttestationRewardsResponse,
  type BeaconBlock,
  BeaconBlockResponse,
  type BeaconValidator,
  BlockRewardResponse,
  BlockRootResponse,
  FinalityResponse,
  type PendingDeposit,
  PendingDepositsResponse,
  ProposerDutiesResponse,
  type ProposerDuty,
  SyncingResponse,
  SyncRewardsResponse,
  ValidatorsResponse,
} from './beacon-responses.js'
import { type ExitResponse, exitResponseOf } from './exit-response.js'
import { firstOf } from './json-http.client.js'
import { UpstreamError, UpstreamRefusal, UpstreamUnavailable } from './upstream-errors.js'
import { validatorIdOf } from './upstream-json.js'

// beacon-APIs: a query has at most 64 ids. A body may have any number, but the response would be hundreds of megabytes.
const MAX_QUERY_IDS = 64
const MAX_BODY_IDS = 10_000

interface BeaconUrls {
  readonly beacons: readonly string[]
  readonly archives: readonly string[]
}

/** A chain's beacon nodes, tried in order until one answers. */
export class BeaconClient {
  private nodes: readonly BeaconNodeClient[]
  private readonly archives: readonly BeaconNodeClient[]

  constructor({ beacons, archives }: BeaconUrls, check: NetworkCheck) {
    this.nodes = beacons.map((url, i) => new BeaconNodeClient(url, `beacon node ${i + 1}`, check))
    this.archives = archives.map((url, i) => new BeaconNodeClient(url, `archive node ${i + 1}`, check))
  }

  /** The head of the first node that is not syncing; that node is tried first from then on. */
  head(): Promise<{ slot: number; optimistic: boolean }> {
    return firstOf(this.nodes, 'beacon', async (node) => {
      const { slot, isSyncing, optimistic } = await node.get('/eth/v1/node/syncing', SyncingResponse)
      if (isSyncing) throw new UpstreamUnavailable(`${node.name} is still syncing.`)
      this.nodes = [node, ...this.nodes.filter((other) => other !== node)]
      return { slot, optimistic }
    })
  }

  finality(): Promise<{ finalizedEpoch: number }> {
    return firstOf(this.nodes, 'beacon', (node) => node.get('/eth/v1/beacon/states/head/finality_checkpoints', FinalityResponse))
  }

  /** The validators with these indices or public keys that the chain has. */
  validators(stateId: string, ids: readonly (string | number | Buffer)[]): Promise<BeaconValidator[]> {
    if (ids.length === 0) return Promise.resolve([])
    const path = `/eth/v1/beacon/states/${stateId}/validators`
    return inBatches(ids, MAX_BODY_IDS, (batch) =>
      this.ask((node) => {
        const byQuery = () => inQueries(batch, (query) => node.get(`${path}?${query}`, ValidatorsResponse))
        return node.postOr({ name: 'validators', path }, { ids: batch.map(validatorIdOf) }, ValidatorsResponse, byQuery)
      }),
    )
  }

  /** Undefined if no node has this endpoint: before Electra there is none. */
  pendingDeposits(stateId = 'head'): Promise<PendingDeposit[] | undefined> {
    return orUndefined(this.ask((node) => node.get(`/eth/v1/beacon/states/${stateId}/pending_deposits`, PendingDepositsResponse)))
  }

  /** Undefined if the slot is empty. */
  async block(slot: number): Promise<(BeaconBlock & { root: Buffer }) | undefined> {
    return this.ask(async (node) => {
      const block = await orUndefined(node.get(`/eth/v2/beacon/blocks/${slot}`, BeaconBlockResponse))
      const root = block && (await orUndefined(node.get(`/eth/v1/beacon/blocks/${slot}/root`, BlockRootResponse)))
      if (block && root) return { ...block, root }
      // A node that has not reached the slot has no block for it either.
      const head = await node.get('/eth/v1/node/syncing', SyncingResponse)
      if (block || head.isSyncing || head.slot < slot) throw new UpstreamUnavailable(`${node.name} has not reached slot ${slot} yet.`)
      return undefined
    })
  }

  /** Undefined if no node answers. Some fail for every past epoch, so there is no point in waiting. */
  async proposerDuties(epoch: number): Promise<ProposerDuty[] | undefined> {
    try {
      return await this.ask((node) => node.get(`/eth/v1/validator/duties/proposer/${epoch}`, ProposerDutiesResponse))
    } catch (error) {
      if (error instanceof UpstreamError) return undefined
      throw error
    }
  }

  /** Undefined, here and below, if no node has this endpoint or the state for it. */
  async attestationRewards(epoch: number, indices: readonly number[]): Promise<AttestationRewards | undefined> {
    const path = `/eth/v1/beacon/rewards/attestations/${epoch}`
    const batches = await inBatches(indices, MAX_BODY_IDS, async (batch) => [
      await orUndefined(this.ask((node) => node.post(path, batch.map(String), AttestationRewardsResponse))),
    ])
    const known = batches.filter((batch) => batch !== undefined)
    if (known.length < batches.length) return undefined
    return { ideal: new Map(known.flatMap(({ ideal }) => [...ideal])), total: new Map(known.flatMap(({ total }) => [...total])) }
  }

  blockReward(slot: number): Promise<{ proposerIndex: number; totalGwei: bigint } | undefined> {
    return orUndefined(this.ask((node) => node.get(`/eth/v1/beacon/rewards/blocks/${slot}`, BlockRewardResponse)))
  }

  syncRewards(slot: number, indices: readonly number[]): Promise<Map<number, bigint> | undefined> {
    const path = `/eth/v1/beacon/rewards/sync_committee/${slot}`
    return orUndefined(this.ask((node) => node.post(path, indices.map(String), SyncRewardsResponse)))
  }

  /** To every node that follows the head: any of them may be badly connected. */
  sendExit(exit: SignedVoluntaryExit): Promise<ExitResponse[]> {
    const body = formatExit(exit)
    return Promise.all(
      this.nodes.map(async (node): Promise<ExitResponse> => {
        try {
          return exitResponseOf(node.name, await node.send('/eth/v1/beacon/pool/voluntary_exits', body))
        } catch (error) {
          return { node: node.name, outcome: 'unreachable', reason: messageOf(error) }
        }
      }),
    )
  }

  async close(): Promise<void> {
    await Promise.all([...this.nodes, ...this.archives].map((node) => node.close()))
  }

  /** Tries the nodes at the head, then the archives. */
  private ask<T>(question: (node: BeaconNodeClient) => Promise<T>): Promise<T> {
    return firstOf([...this.nodes, ...this.archives], 'beacon', question)
  }
}

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    // 404: not found; 400 and 405: not in this form; 501: not implemented.
    if (error instanceof UpstreamRefusal) return undefined
    throw error
  }
}

/** Repeats the name: some clients read a list with commas as one id. */
function inQueries<R>(ids: readonly (string | number | Buffer)[], ask: (query: string) => Promise<readonly R[]>): Promise<R[]> {
  return inBatches(ids, MAX_QUERY_IDS, (batch) => ask(batch.map((id) => `id=${validatorIdOf(id)}`).join('&')))
}

/** One request after another, each with at most so many items. */
async function inBatches<T, R>(items: readonly T[], size: number, ask: (batch: readonly T[]) => Promise<readonly R[]>): Promise<R[]> {
  const answers: R[] = []
  for (let first = 0; first < items.length; first += size)
    for (const answer of await ask(items.slice(first, first + size))) answers.push(answer)
  return answers
}

/** Like `map`, with at most so many requests at once. */
export async function mapLimited<T, R>(items: readonly T[], limit: number, ask: (item: T) => Promise<R>): Promise<R[]> {
  return inBatches(items, limit, (batch) => Promise.all(batch.map(ask)))
}
