import { formatHex } from '@trestle/ethereum/hex'
import { type BlockHeader, blockHeaderRoot } from '@trestle/ethereum/ssz'
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
  FinalityResponse,
  HeaderResponse,
  LivenessResponse,
  type PendingConsolidation,
  PendingConsolidationsResponse,
  type PendingDeposit,
  PendingDepositsResponse,
  ProposerDutiesResponse,
  type ProposerDuty,
  RootResponse,
  SyncingResponse,
  SyncRewardsResponse,
  ValidatorsResponse,
} from './beacon-responses.js'
import { type ExitResponse, exitResponseOf } from './exit-response.js'
import { firstOf } from './json-http.client.js'
import { type LivenessAnswer, type SeenValidators, seenInBlocks, seenInGossip } from './liveness.js'
import { UpstreamError, UpstreamRefusal, UpstreamUnavailable } from './upstream-errors.js'
import { validatorIdOf } from './upstream-json.js'

// beacon-APIs: a query has at most 64 ids. A body may have any number, but the response would be hundreds of megabytes.
const MAX_QUERY_IDS = 64
const MAX_BODY_IDS = 10_000

// So many empty slots in a row are hardly ever seen.
const MAX_SLOTS_BEHIND = 8

// To find one validator among 10,000 takes about thirty requests.
const MAX_REFUSALS = 64

export interface Finality {
  readonly finalizedEpoch: number
  readonly finalizedRoot: Buffer
}

interface Refused {
  readonly refused: ReadonlySet<number>
}

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

  /**
   * The head of the first node that is not syncing and fits the clock; that node is tried first from then on. A node may be stuck and not
   * say that it is syncing.
   */
  head(clockSlot = 0): Promise<{ slot: number; optimistic: boolean }> {
    return firstOf(this.nodes, 'beacon', async (node) => {
      const { slot, distance, isSyncing, optimistic } = await node.get('/eth/v1/node/syncing', SyncingResponse)
      if (isSyncing) throw new UpstreamUnavailable(`${node.name} is still syncing.`)
      const behind = Math.max(distance, clockSlot - slot)
      if (behind > MAX_SLOTS_BEHIND)
        throw new UpstreamUnavailable(`${node.name} is stuck at slot ${slot}, ${behind} slots behind the clock.`)
      this.nodes = [node, ...this.nodes.filter((other) => other !== node)]
      return { slot, optimistic }
    })
  }

  /** Of the first node whose checkpoint passes the check; it throws `UpstreamUnavailable` if not. */
  finality(check: (finalized: Finality) => Promise<void> = async () => {}): Promise<Finality> {
    return firstOf(this.nodes, 'beacon', async (node) => {
      const finalized = await node.get('/eth/v1/beacon/states/head/finality_checkpoints', FinalityResponse)
      await check(finalized)
      return finalized
    })
  }

  /** What was final in a state; undefined if no node has it. */
  finalityAt(stateId: string): Promise<Finality | undefined> {
    return orUndefined(this.ask((node) => node.get(`/eth/v1/beacon/states/${stateId}/finality_checkpoints`, FinalityResponse)))
  }

  /** The validators with these indices or public keys that the chain has; with a root, from a node whose state has that root. */
  validators(stateId: string, ids: readonly (string | number | Buffer)[], root?: Buffer): Promise<BeaconValidator[]> {
    if (ids.length === 0) return Promise.resolve([])
    const path = `/eth/v1/beacon/states/${stateId}/validators`
    return inBatches(ids, MAX_BODY_IDS, (batch) =>
      this.ask(async (node) => {
        if (root) await requireState(node, stateId, root)
        const byQuery = () => inQueries(batch, (query) => node.get(`${path}?${query}`, ValidatorsResponse))
        return node.postOr({ name: 'validators', path }, { ids: batch.map(validatorIdOf) }, ValidatorsResponse, byQuery)
      }),
    )
  }

  /** Undefined if no node has this endpoint: before Electra there is none. */
  pendingDeposits(stateId = 'head'): Promise<PendingDeposit[] | undefined> {
    return orUndefined(this.ask((node) => node.get(`/eth/v1/beacon/states/${stateId}/pending_deposits`, PendingDepositsResponse)))
  }

  /** Undefined if no node has this endpoint. */
  pendingConsolidations(stateId: string): Promise<PendingConsolidation[] | undefined> {
    return orUndefined(
      this.ask((node) => node.get(`/eth/v1/beacon/states/${stateId}/pending_consolidations`, PendingConsolidationsResponse)),
    )
  }

  /** Of the block with this root: what a node says of another block is not believed. */
  header(root: Buffer): Promise<BlockHeader> {
    return this.ask(async (node) => {
      const header = await node.get(`/eth/v1/beacon/headers/${formatHex(root)}`, HeaderResponse)
      if (!blockHeaderRoot(header).equals(root)) throw new UpstreamUnavailable(`${node.name} sent the header of another block.`)
      return header
    })
  }

  /** The block with this root and this header. */
  block(root: Buffer, header: BlockHeader): Promise<BeaconBlock> {
    return this.ask(async (node) => {
      const block = await node.get(`/eth/v2/beacon/blocks/${formatHex(root)}`, BeaconBlockResponse)
      const isIt = block.slot === header.slot && block.proposerIndex === header.proposerIndex && block.parentRoot.equals(header.parentRoot)
      if (!isIt) throw new UpstreamUnavailable(`${node.name} sent another block than the requested one.`)
      return block
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

  /** Undefined, here and below, if no node has this endpoint or the state for it. `refused` are validators that no node answers for. */
  async attestationRewards(epoch: number, indices: readonly number[]): Promise<(AttestationRewards & Refused) | undefined> {
    const path = `/eth/v1/beacon/rewards/attestations/${epoch}`
    const ask = (batch: readonly number[]) => this.ask((node) => node.post(path, batch.map(String), AttestationRewardsResponse))
    const sorted = indices.toSorted((one, other) => one - other)
    const refused = new Set<number>()
    const known: AttestationRewards[] = []
    for (const batch of batchesOf(sorted, MAX_BODY_IDS)) {
      const rewards = await orUndefined(splitting(batch, ask, refused))
      if (!rewards) return undefined
      known.push(...rewards)
    }
    if (known.length === 0) return undefined
    return { ideal: new Map(known.flatMap(({ ideal }) => [...ideal])), total: new Map(known.flatMap(({ total }) => [...total])), refused }
  }

  blockReward(root: Buffer): Promise<{ proposerIndex: number; totalGwei: bigint } | undefined> {
    return orUndefined(this.ask((node) => node.get(`/eth/v1/beacon/rewards/blocks/${formatHex(root)}`, BlockRewardResponse)))
  }

  syncRewards(root: Buffer, indices: readonly number[]): Promise<Map<number, bigint> | undefined> {
    const path = `/eth/v1/beacon/rewards/sync_committee/${formatHex(root)}`
    return orUndefined(this.ask((node) => node.post(path, indices.map(String), SyncRewardsResponse)))
  }

  /**
   * Which of these validators somebody signed for in the last epoch that is over, or since, as any node at the head saw it; where no node offers
   * that, whose votes blocks contain. Undefined if neither is known.
   */
  async liveness(current: number, indices: readonly number[]): Promise<SeenValidators | undefined> {
    const answers = await Promise.all(this.nodes.map((node) => livenessAt(node, current, indices)))
    const known = answers.filter((answer) => answer !== undefined)
    const seen = seenInGossip(current - 1, indices, known)
    if (seen || current < 2) return seen
    const rewards = await this.attestationRewards(current - 2, indices)
    return rewards && seenInBlocks(current - 2, indices, rewards)
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

/** A node that was on another branch may still have its state of the slot. Some cannot say which one they have if there were two blocks. */
async function requireState(node: BeaconNodeClient, stateId: string, root: Buffer): Promise<void> {
  const actual = await node.get(`/eth/v1/beacon/states/${stateId}/root`, RootResponse).catch((error: unknown) => {
    if (error instanceof UpstreamError) return undefined
    throw error
  })
  if (actual && !actual.equals(root))
    throw new UpstreamUnavailable(`${node.name} has another state of slot ${stateId} than the finalized block.`)
}

/** Undefined if the node is away or offers no such thing. */
async function livenessAt(node: BeaconNodeClient, current: number, indices: readonly number[]): Promise<LivenessAnswer | undefined> {
  const ask = async (epoch: number) => {
    try {
      return await node.post(`/eth/v1/validator/liveness/${epoch}`, indices.map(String), LivenessResponse)
    } catch (error) {
      if (error instanceof UpstreamError) return undefined
      throw error
    }
  }
  const previous = current > 0 ? await ask(current - 1) : undefined
  return previous && { previous, current: await ask(current) }
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

/** Prysm refuses a whole list for one validator that it does not know: halves show which it is. Undefined if they do not. */
async function splitting<T>(
  items: readonly number[],
  ask: (items: readonly number[]) => Promise<T>,
  refused: Set<number>,
): Promise<T[] | undefined> {
  const waiting = [items]
  const answers: T[] = []
  for (let asked = 0; asked <= MAX_REFUSALS; asked++) {
    const next = waiting.pop()
    if (!next) return answers
    const answer = await unlessInvalid(ask(next))
    if (answer !== undefined) answers.push(answer)
    else if (next.length > 1) waiting.push(...batchesOf(next, Math.ceil(next.length / 2)).toReversed())
    else for (const only of next) refused.add(only)
  }
  return undefined
}

async function unlessInvalid<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof UpstreamRefusal && error.status === 400) return undefined
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
  for (const batch of batchesOf(items, size)) for (const answer of await ask(batch)) answers.push(answer)
  return answers
}

function batchesOf<T>(items: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}

/** Like `map`, with at most so many requests at once. */
export async function mapLimited<T, R>(items: readonly T[], limit: number, ask: (item: T) => Promise<R>): Promise<R[]> {
  return inBatches(items, limit, (batch) => Promise.all(batch.map(ask)))
}
