import { Injectable } from '@nestjs/common'
import { type BeaconClient, mapLimited } from '../chains/beacon.client.js'
import type { BeaconBlock } from '../chains/beacon-responses.js'
import { Breakdown } from './reward-parts.js'

interface EpochQuery {
  readonly epoch: number
  readonly blocks: readonly BeaconBlock[]
  readonly indices: ReadonlySet<number>
}

const AT_ONCE = 8

/** Asks the rewards endpoints what the differences in balance of an epoch are made of. */
@Injectable()
export class BreakdownService {
  /** Undefined where no node can tell. */
  async read(beacon: BeaconClient, asked: EpochQuery): Promise<Breakdown | undefined> {
    const breakdown = new Breakdown()
    const isWhole = (await addAttestations(beacon, asked, breakdown)) && (await addSyncCommittees(beacon, asked, breakdown))
    if (!isWhole) return undefined
    await addBlocks(beacon, asked, breakdown)
    return breakdown
  }

  /** Of a chain that has no validators of ours, or whose epoch is told already. */
  async idealGwei(beacon: BeaconClient, epoch: number): Promise<bigint | undefined> {
    const breakdown = new Breakdown()
    // Asked about nobody, a node tells of everybody.
    const rewards = await beacon.attestationRewards(epoch, [0])
    return rewards && breakdown.addIdeal(rewards.ideal)
  }
}

/** The attestations of an epoch are paid for when the one after it ends: those paid in this one are of the one before. */
async function addAttestations(beacon: BeaconClient, { epoch, indices }: EpochQuery, breakdown: Breakdown): Promise<boolean> {
  if (epoch === 0) return true
  const rewards = await beacon.attestationRewards(epoch - 1, [...indices])
  if (!rewards) return false
  breakdown.addIdeal(rewards.ideal)
  for (const [index, reward] of rewards.total) if (indices.has(index)) breakdown.addAttestation(index, reward)
  return true
}

async function addSyncCommittees(beacon: BeaconClient, { blocks, indices }: EpochQuery, breakdown: Breakdown): Promise<boolean> {
  // Asked about nobody, a node tells of the whole committee: 512 lines instead of a question with all our validators.
  const rewards = await mapLimited(blocks, AT_ONCE, ({ slot }) => beacon.syncRewards(slot, []))
  for (const committee of rewards) for (const [index, gwei] of committee ?? []) if (indices.has(index)) breakdown.addSync(index, gwei)
  return rewards.every((committee) => committee !== undefined)
}

async function addBlocks(beacon: BeaconClient, { blocks, indices }: EpochQuery, breakdown: Breakdown): Promise<void> {
  const own = blocks.filter(({ proposerIndex }) => indices.has(proposerIndex))
  await mapLimited(own, AT_ONCE, async ({ slot, proposerIndex }) => {
    const reward = await beacon.blockReward(slot)
    if (reward) breakdown.add(proposerIndex, [reward.totalGwei])
    else breakdown.markIncomplete(proposerIndex)
  })
}
