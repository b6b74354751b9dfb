import type { Finality } from '../src/chains/beacon.client.js'
import type { AttestationReward, BeaconBlock, PendingConsolidation, PendingDeposit, Withdrawal } from '../src/chains/beacon-responses.js'
import type { ChainsService } from '../src/chains/chains.service.js'
import { type DayChanges, type ModelAccount, validatorsOf } from './model-account.js'
import { ModelBlocks, stateRootOf } from './model-blocks.js'
import { ModelDuties } from './model-duties.js'
import { MODEL_NETWORK } from './model-network.js'

const ETH = 1_000_000_000n
const SLOTS = MODEL_NETWORK.slotsPerEpoch

/**
 * A chain that rewards, penalizes and slashes its validators at random and records it. `chains()` answers as its beacon nodes do. It does
 * not follow the consensus specification: whatever the numbers are, the ledger must find them.
 */
export class ModelChain {
  readonly accounts: ModelAccount[] = []
  readonly happened = new Map<string, DayChanges>()
  readonly duties = new ModelDuties()
  finalized = 0
  /** Epochs that the rewards endpoints do not know. */
  readonly pruned = new Set<number>()
  /** From this slot on blocks are of a fork that nobody knows. */
  unknownFork = Infinity
  private epoch = 0
  private readonly states = new Map<number, ModelAccount[]>()
  private readonly queues = new Map<number, PendingDeposit[]>()
  private queue: PendingDeposit[] = []
  /** In no block yet. */
  private readonly sent: Omit<PendingDeposit, 'slot'>[] = []
  private readonly consolidationsAt = new Map<number, PendingConsolidation[]>()
  private readonly consolidations: PendingConsolidation[] = []
  readonly blocks: ModelBlocks
  private readonly attestations = new Map<number, Map<number, AttestationReward>>()

  constructor(
    private readonly random: () => number,
    /** The fee recipient of its blocks. */
    private readonly feeRecipient: (slot: number) => Buffer = () => Buffer.alloc(20, 0xfe),
  ) {
    this.blocks = new ModelBlocks(this.blockOf(0, undefined))
    this.keepState()
  }

  readonly chain = MODEL_NETWORK

  deposit(pubkey: Buffer, credentials: Buffer, amountGwei = 32n * ETH): void {
    this.sent.push({ pubkey, withdrawalCredentials: credentials, amountGwei, signature: Buffer.alloc(96) })
  }

  /** Ends the current epoch. */
  advance(): void {
    const first = this.epoch * SLOTS
    for (let slot = first + 1; slot < first + SLOTS; slot++) this.live(slot)
    const fresh = this.queue.filter(({ slot }) => slot > first)
    this.turnEpoch(fresh)
    this.live(first + SLOTS)
    this.epoch += 1
    this.finalized = this.epoch
    this.keepState()
  }

  /** The changes of a validator on a day. */
  on(index: number, day: string): DayChanges {
    const key = `${index} ${day}`
    const happened = this.happened.get(key) ?? {
      withdrawals: 0n,
      deposits: 0n,
      rewards: 0n,
      penalties: 0n,
      stake: 0n,
      active: 0,
      unexplained: 0n,
    }
    this.happened.set(key, happened)
    return happened
  }

  dayOf(epoch: number): string {
    return this.chain.epochTime(epoch).toISOString().slice(0, 10)
  }

  slash(index: number): void {
    const account = this.accounts[index]!
    account.slashed = true
    account.exit = this.epoch + 3
  }

  /** Nobody says why. */
  move(from: number, to: number, gwei: bigint): void {
    this.transfer(from, to, gwei, 'unexplained')
  }

  /** As EIP-7251 does, at the end of this epoch. */
  consolidate(sourceIndex: number, targetIndex: number): void {
    this.accounts[sourceIndex]!.exit = this.epoch
    this.consolidations.push({ sourceIndex, targetIndex })
    this.consolidationsAt.set(this.epoch * SLOTS, [...this.consolidations])
  }

  /** Its nodes, as the service uses them. */
  chains(execution: object = { isConfigured: false }): ChainsService {
    const beacon = {
      finality: async (check?: (finalized: Finality) => Promise<void>) => {
        const finalized = { finalizedEpoch: this.finalized, finalizedRoot: this.blocks.checkpoint(this.finalized) }
        await check?.(finalized)
        return finalized
      },
      finalityAt: async () => undefined,
      pendingConsolidations: async (state: string) => this.consolidationsAt.get(Number(state)),
      header: async (root: Buffer) => this.blocks.of(root).header,
      validators: async (state: string, ids: readonly (number | Buffer)[], root?: Buffer) => {
        if (root && !root.equals(stateRootOf(Number(state)))) throw new Error(`another state of slot ${state}`)
        return validatorsOf(this.states.get(Number(state)) ?? [], ids)
      },
      pendingDeposits: async (state: string) => this.queues.get(Number(state)),
      block: async (root: Buffer) => this.shown(this.blocks.of(root).block),
      attestationRewards: async (epoch: number, indices: readonly number[]) => this.attestationRewards(epoch, indices),
      proposerDuties: async (epoch: number) => this.duties.proposersOf(epoch, SLOTS),
      syncRewards: async (root: Buffer) => this.known(root)?.sync,
      blockReward: async (root: Buffer) => {
        const proposal = this.known(root)
        return proposal && { proposerIndex: proposal.block.proposerIndex, totalGwei: proposal.reward }
      },
    }
    return {
      names: () => ['dev'],
      settings: () => this.chain.settings,
      get: async () => this.chain,
      beacon: () => beacon,
      execution: () => execution,
    } as unknown as ChainsService
  }

  private shown(block: BeaconBlock): BeaconBlock {
    return block.slot < this.unknownFork ? block : { ...block, payload: undefined, deposits: [], queuesDeposits: false }
  }

  private known(root: Buffer) {
    const proposal = this.blocks.of(root)
    return this.pruned.has(Math.floor((proposal.header.slot - 1) / SLOTS)) ? undefined : proposal
  }

  private attestationRewards(epoch: number, indices: readonly number[]) {
    const all = this.attestations.get(epoch)
    if (!all || this.pruned.has(epoch + 1)) return undefined
    const ideal = new Map([[32n * ETH, { headGwei: 2_000n, targetGwei: 4_000n, sourceGwei: 2_000n, inactivityGwei: 0n }]])
    return {
      ideal,
      refused: new Set(),
      total: new Map(indices.flatMap((index) => (all.has(index) ? [[index, all.get(index)!] as const] : []))),
    }
  }

  private live(slot: number): void {
    const active = this.active()
    const isEmpty = this.random() < 0.2
    if (active.length === 0) this.enqueue(slot)
    if (active.length === 0) return
    const proposer = isEmpty ? active[slot % active.length]! : this.pick(active)
    const today = this.dayOf(this.epoch)
    this.duties.propose(proposer.index, today, { slot, isMissed: isEmpty })
    if (isEmpty) return
    const reward = this.gwei(40_000)
    this.give(proposer, reward)
    const sync = new Map<number, bigint>()
    for (const account of active.filter(() => this.random() < 0.3)) {
      const part = this.random() < 0.8 ? this.gwei(9_000) : -this.gwei(9_000)
      sync.set(account.index, part)
      this.duties.sync(account.index, today, part < 0n)
      this.give(account, part)
    }
    this.blocks.propose(this.blockOf(slot, proposer), reward, sync)
  }

  private blockOf(slot: number, proposer: ModelAccount | undefined): BeaconBlock {
    const proposerIndex = proposer?.index ?? 0
    const withdrawals: Withdrawal[] = this.accounts
      .filter(() => this.random() < 0.1)
      .flatMap((account) => {
        const isOut = account.exit !== undefined && account.exit < this.epoch
        const amountGwei = isOut ? account.balance : account.balance - 32n * ETH
        if (amountGwei <= 0n) return []
        account.balance -= amountGwei
        this.on(account.index, this.dayOf(this.epoch)).withdrawals += amountGwei
        return [{ index: BigInt(slot), validatorIndex: account.index, address: account.credentials.subarray(12), amountGwei }]
      })
    // One to a builder, which is never ours, whatever its index.
    withdrawals.push({ index: 0n, validatorIndex: 2 ** 40 + proposerIndex, address: Buffer.alloc(20), amountGwei: 7n })
    return {
      slot,
      proposerIndex,
      parentRoot: Buffer.alloc(32),
      payload: { blockHash: Buffer.alloc(32, slot), feeRecipient: this.feeRecipient(slot), withdrawals },
      deposits: this.enqueue(slot),
      queuesDeposits: true,
    }
  }

  private enqueue(slot: number): PendingDeposit[] {
    const arrived = this.sent.splice(0).map((deposit) => ({ ...deposit, slot }))
    this.queue.push(...arrived)
    return arrived
  }

  private turnEpoch(fresh: readonly PendingDeposit[]): void {
    const day = this.dayOf(this.epoch)
    for (const account of this.active()) {
      this.on(account.index, day).stake += account.effective / ETH
      this.on(account.index, day).active += 1
    }
    if (this.epoch > 0) this.payAttestations()
    for (const account of this.accounts.filter(({ slashed, exit }) => slashed && exit === this.epoch)) this.give(account, -(ETH / 100n))
    for (const deposit of this.queue.filter((each) => !fresh.includes(each))) this.credit(deposit)
    this.queue = [...fresh]
    for (const each of this.consolidations.splice(0)) this.process(each)
    for (const account of this.accounts) this.settle(account)
  }

  private payAttestations(): void {
    const rewards = new Map<number, AttestationReward>()
    for (const account of this.active()) {
      const isOffline = this.random() < 0.2
      const reward = isOffline
        ? { headGwei: 0n, targetGwei: -this.gwei(6_000), sourceGwei: -this.gwei(3_000), inactivityGwei: -this.gwei(10) }
        : { headGwei: this.gwei(3_000), targetGwei: this.gwei(6_000), sourceGwei: this.gwei(3_000), inactivityGwei: 0n }
      rewards.set(account.index, reward)
      if (!account.slashed && (account.activation ?? Infinity) < this.epoch)
        this.duties.attest(account.index, this.dayOf(this.epoch), isOffline)
      for (const part of Object.values(reward)) this.give(account, part)
    }
    this.attestations.set(this.epoch - 1, rewards)
  }

  private credit({ pubkey, withdrawalCredentials, amountGwei }: PendingDeposit): void {
    let account = this.accounts.find((each) => each.pubkey.equals(pubkey))
    if (!account) {
      account = { index: this.accounts.length, pubkey, credentials: withdrawalCredentials, balance: 0n, effective: 0n, slashed: false }
      this.accounts.push(account)
    }
    account.balance += amountGwei
    this.on(account.index, this.dayOf(this.epoch)).deposits += amountGwei
  }

  private process({ sourceIndex, targetIndex }: PendingConsolidation): void {
    const { slashed, effective } = this.accounts[sourceIndex]!
    this.transfer(sourceIndex, targetIndex, slashed ? 0n : effective, 'deposits')
  }

  private transfer(from: number, to: number, gwei: bigint, as: 'deposits' | 'unexplained'): void {
    this.accounts[from]!.balance -= gwei
    this.on(from, this.dayOf(this.epoch))[as] -= gwei
    this.accounts[to]!.balance += gwei
    this.on(to, this.dayOf(this.epoch))[as] += gwei
  }

  private settle(account: ModelAccount): void {
    const maxEffective = account.balance - (account.balance % ETH)
    account.effective = maxEffective > 32n * ETH ? 32n * ETH : maxEffective
    if (account.activation === undefined && account.effective === 32n * ETH) account.activation = this.epoch + 2
  }

  private active(): ModelAccount[] {
    return this.accounts.filter(({ activation = Infinity, exit = Infinity }) => activation <= this.epoch && this.epoch < exit)
  }

  private give(account: ModelAccount, gwei: bigint): void {
    account.balance += gwei
    const day = this.on(account.index, this.dayOf(this.epoch))
    if (gwei > 0n) day.rewards += gwei
    else day.penalties -= gwei
  }

  private keepState(): void {
    this.blocks.endEpoch()
    this.states.set(
      this.epoch * SLOTS,
      this.accounts.map((account) => ({ ...account })),
    )
    this.queues.set(this.epoch * SLOTS, [...this.queue])
    this.consolidationsAt.set(this.epoch * SLOTS, [...this.consolidations])
  }

  private pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)]!
  }

  private gwei(below: number): bigint {
    return BigInt(1 + Math.floor(this.random() * below))
  }
}
