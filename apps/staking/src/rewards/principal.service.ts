import { Injectable } from '@nestjs/common'
import type { BeaconClient } from '../chains/beacon.client.js'
import type { PendingConsolidation, PendingDeposit } from '../chains/beacon-responses.js'
import type { StakingChain } from '../chains/chain.js'
import { ChainsService } from '../chains/chains.service.js'
import type { FinalizedBlock } from './finalized-blocks.service.js'
import { consolidatedGwei, depositedGwei, processed } from './principal.js'

interface Slots {
  readonly opening: number
  readonly closing: number
}

interface Queues {
  readonly before: readonly PendingDeposit[]
  readonly after: readonly PendingDeposit[]
}

// consensus-specs, MIN_EPOCHS_TO_INACTIVITY_PENALTY.
const MIN_EPOCHS_TO_LEAK = 4

const NO_QUEUES: Queues = { before: [], after: [] }

export interface Principal {
  readonly gwei: ReadonlyMap<number, bigint>
  readonly consolidations: readonly PendingConsolidation[]
  readonly isLeaking: boolean
}

/** Reads what moved as principal in an epoch: deposits and consolidations. */
@Injectable()
export class PrincipalService {
  constructor(private readonly chains: ChainsService) {}

  /** By index; undefined if no node shows everything that may be principal. */
  async read(
    chain: StakingChain,
    epoch: number,
    blocks: readonly FinalizedBlock[],
    validators: readonly { readonly index: number; readonly pubkey: Buffer }[],
  ): Promise<Principal | undefined> {
    // A block without its payload may have withdrawals and deposits that nobody saw.
    if (blocks.some(({ payload }) => payload === undefined)) return undefined
    const beacon = this.chains.beacon(chain.settings.name)
    const slots = { opening: epoch * chain.slotsPerEpoch, closing: (epoch + 1) * chain.slotsPerEpoch }
    const queues = await readQueues(beacon, slots, blocks)
    if (!queues) return undefined
    const arrived = blocks.flatMap(({ deposits }) => deposits)
    const deposited = depositedGwei(queues.before, arrived, queues.after)
    const principal = new Map(validators.map(({ index, pubkey }) => [index, deposited.get(pubkey.toString('hex')) ?? 0n]))
    const consolidations = await readConsolidations(beacon, slots, { blocks, deposited, principal })
    for (const { sourceIndex, targetIndex, gwei } of consolidations) {
      add(principal, sourceIndex, -gwei)
      add(principal, targetIndex, gwei)
    }
    const final = await beacon.finalityAt(String(slots.closing))
    const isLeaking = final !== undefined && epoch - final.finalizedEpoch > MIN_EPOCHS_TO_LEAK
    return { gwei: principal, consolidations: consolidations.filter(({ gwei }) => gwei > 0n), isLeaking }
  }
}

/** Before Electra there is no queue, and a deposit counts at once. */
async function readQueues(
  beacon: BeaconClient,
  { opening, closing }: Slots,
  blocks: readonly FinalizedBlock[],
): Promise<Queues | undefined> {
  const [before, after] = [await beacon.pendingDeposits(String(opening)), await beacon.pendingDeposits(String(closing))]
  if (before && after) return { before, after }
  return blocks.length > 0 && blocks.every(({ queuesDeposits }) => !queuesDeposits) ? NO_QUEUES : undefined
}

async function readConsolidations(
  beacon: BeaconClient,
  { opening, closing }: Slots,
  known: { blocks: readonly FinalizedBlock[]; deposited: ReadonlyMap<string, bigint>; principal: ReadonlyMap<number, bigint> },
): Promise<(PendingConsolidation & { gwei: bigint })[]> {
  const [before, after] = [await beacon.pendingConsolidations(String(opening)), await beacon.pendingConsolidations(String(closing))]
  const done = processed(before ?? [], after ?? []).filter(
    ({ sourceIndex, targetIndex }) => known.principal.has(sourceIndex) || known.principal.has(targetIndex),
  )
  const indices = done.map(({ sourceIndex }) => sourceIndex)
  const sources = new Map((await beacon.validators(String(opening), indices)).map((source) => [source.index, source]))
  const slashed = new Set((await beacon.validators(String(closing), indices)).filter((each) => each.slashed).map(({ index }) => index))
  return done.flatMap((consolidation) => {
    const source = sources.get(consolidation.sourceIndex)
    if (!source) return []
    // The first block of the next epoch came after.
    const earlier = known.blocks.filter(({ slot }) => slot < closing).flatMap(({ payload }) => payload?.withdrawals ?? [])
    const withdrawn = earlier.reduce((sum, each) => sum + (each.validatorIndex === source.index ? each.amountGwei : 0n), 0n)
    const added = known.deposited.get(source.pubkey.toString('hex')) ?? 0n
    return [{ ...consolidation, gwei: consolidatedGwei({ ...source, slashed: slashed.has(source.index) }, added, withdrawn) }]
  })
}

function add(principal: Map<number, bigint>, index: number, gwei: bigint): void {
  const known = principal.get(index)
  if (known !== undefined) principal.set(index, known + gwei)
}
