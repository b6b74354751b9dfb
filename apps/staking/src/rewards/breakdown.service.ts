import { Injectable } from '@nestjs/common'
import { type BeaconClient, mapLimited } from '../chains/beacon.client.js'
import type { FinalizedBlock } from './finalized-blocks.service.js'
import { Breakdown } from './reward-parts.js'

interface EpochQuery {
  readonly epoch: number
  readonly blocks: readonly FinalizedBlock[]
  readonly indices: ReadonlySet<number>
  /** Those of them that were on the chain at the beginning of the epoch. */
  readonly olderIndices: readonly number[]
}

const MAX_REQUESTS = 8

/** Reads from the rewards endpoints what an epoch's changes of balance consist of. */
@Injectable()
export class BreakdownService {
  /** Undefined if no node has it. */
  async read(beacon: BeaconClient, query: EpochQuery): Promise<Breakdown | undefined> {
    const breakdown = new Breakdown()
    const isWhole = (await addAttestations(beacon, query, breakdown)) && (await addSyncCommittees(beacon, query, breakdown))
    if (!isWhole) return undefined
    await addBlocks(beacon, query, breakdown)
    return breakdown
  }

  /** For an epoch without a breakdown: of a chain without validators of ours, for example. */
  async idealGwei(beacon: BeaconClient, epoch: number): Promise<bigint | undefined> {
    const breakdown = new Breakdown()
    // An empty list would mean every validator.
    const rewards = await beacon.attestationRewards(epoch, [0])
    return rewards && breakdown.addIdeal(rewards.ideal)
  }
}

/** Attestations are paid at the end of the next epoch: those paid in this epoch are from the one before. */
async function addAttestations(beacon: BeaconClient, { epoch, indices, olderIndices }: EpochQuery, breakdown: Breakdown): Promise<boolean> {
  // An empty list would mean every validator.
  if (epoch === 0 || olderIndices.length === 0) return true
  const rewards = await beacon.attestationRewards(epoch - 1, olderIndices)
  if (!rewards) return false
  for (const index of rewards.refused) breakdown.markIncomplete(index)
  breakdown.addIdeal(rewards.ideal)
  for (const [index, reward] of rewards.total) if (indices.has(index)) breakdown.addAttestation(index, reward)
  return true
}

async function addSyncCommittees(beacon: BeaconClient, { blocks, indices }: EpochQuery, breakdown: Breakdown): Promise<boolean> {
  // An empty list means the whole committee: a response of 512 entries instead of a request with all our validators.
  const rewards = await mapLimited(blocks, MAX_REQUESTS, ({ root }) => beacon.syncRewards(root, []))
  for (const committee of rewards) for (const [index, gwei] of committee ?? []) if (indices.has(index)) breakdown.addSync(index, gwei)
  return rewards.every((committee) => committee !== undefined)
}

async function addBlocks(beacon: BeaconClient, { blocks, indices }: EpochQuery, breakdown: Breakdown): Promise<void> {
  const own = blocks.filter(({ proposerIndex }) => indices.has(proposerIndex))
  await mapLimited(own, MAX_REQUESTS, async ({ root, proposerIndex }) => {
    const reward = await beacon.blockReward(root)
    if (reward) breakdown.add(proposerIndex, [reward.totalGwei])
    else breakdown.markIncomplete(proposerIndex)
  })
}
