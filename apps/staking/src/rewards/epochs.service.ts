import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import { GWEI_PER_ETH } from '@trestle/ethereum/deposit'
import type { Finality } from '../chains/beacon.client.js'
import type { StakingChain } from '../chains/chain.js'
import { UpstreamUnavailable } from '../chains/upstream-errors.js'
import { addDays, type Day, dayOf } from './days.js'
import { bookingsOf, type ValidatorEpoch, withOpenPrincipal } from './epoch-lines.js'
import { type EpochData, EpochReaderService } from './epoch-reader.service.js'
import { type Checkpoint, FinalizedBlocksService } from './finalized-blocks.service.js'
import { type Booking, Ledger } from './ledger.js'
import { type LedgerCursor, LedgerRepository } from './ledger.repository.js'
import { LedgerAlarmsService } from './ledger-alarms.service.js'
import type { Principal } from './principal.service.js'

// The epochs of a sealed day are kept for a while, to answer questions about it.
const KEPT_DAYS = 14

// A node that has had breakdowns will have them again: one that lags or starts is waited for so long.
const MAX_WAIT_EPOCHS = 3

/** The ledger of a chain while this process writes it. */
export interface LedgerRun {
  readonly chain: StakingChain
  readonly lease: Lease
  /** As last committed; read again after any failure. */
  open?: { cursor: LedgerCursor; ledger: Ledger }
}

/** Books finalized epochs, one after another. */
@Injectable()
export class EpochsService {
  constructor(
    private readonly finalized: FinalizedBlocksService,
    private readonly reader: EpochReaderService,
    private readonly ledgers: LedgerRepository,
    private readonly alarms: LedgerAlarmsService,
  ) {}

  /** Waits for the lease of a chain's ledger. */
  async begin(chain: StakingChain, signal: AbortSignal): Promise<LedgerRun> {
    return { chain, lease: await this.ledgers.acquire(chain.settings.name, signal) }
  }

  /** True if an epoch was booked: there may be more. */
  async bookNext(run: LedgerRun): Promise<boolean> {
    const { open } = run
    run.open = undefined
    const { finalizedEpoch } = await this.finalized.latest(run.chain)
    const { cursor, ledger } = open ?? (await this.load(run.chain, finalizedEpoch))
    // The state at the next epoch's first slot has to be final.
    if (cursor.nextEpoch >= finalizedEpoch) {
      run.open = { cursor, ledger }
      return false
    }
    const agreed = await this.finalized.latest(run.chain, (finalized) => this.requireBooked(run.chain, cursor, finalized))
    const checkpoint = { epoch: agreed.finalizedEpoch, root: agreed.finalizedRoot }
    const next = await this.bookEpoch(run, { cursor, ledger }, checkpoint)
    run.open = { cursor: next ?? cursor, ledger }
    return next !== undefined
  }

  private async load(chain: StakingChain, finalizedEpoch: number): Promise<{ cursor: LedgerCursor; ledger: Ledger }> {
    const { name } = chain.settings
    const known = await this.ledgers.findCursor(name)
    if (known) return { cursor: known, ledger: new Ledger(await this.ledgers.listChunks(name)) }
    const created = await this.ledgers.findFirstCreated(name)
    // No validator of ours was on the chain before the first one was created here.
    const first = created ? Math.min(finalizedEpoch, chain.epochAt(created)) : finalizedEpoch
    await this.ledgers.create(name, cursorAt(chain, first))
    return this.load(chain, finalizedEpoch)
  }

  /** What is final must descend from what was final when it was booked: if not, a node is wrong, then or now. */
  private async requireBooked(chain: StakingChain, { nextEpoch }: LedgerCursor, finalized: Finality): Promise<void> {
    const { name } = chain.settings
    const { finalizedEpoch: epoch, finalizedRoot: root } = finalized
    if (epoch <= nextEpoch) throw new UpstreamUnavailable(`The node has not finalized epoch ${nextEpoch} yet.`)
    const booked = await this.ledgers.findCheckpoint(name, nextEpoch)
    if (!booked || booked.equals(await this.finalized.rootOf(chain, nextEpoch, { epoch, root }))) return
    this.alarms.contradict(name, nextEpoch)
    throw new UpstreamUnavailable(`What the node calls final contradicts what is booked up to epoch ${nextEpoch} of ${name}.`)
  }

  /** Undefined if the epoch must wait. */
  private async bookEpoch(
    { chain, lease }: LedgerRun,
    { cursor, ledger }: { cursor: LedgerCursor; ledger: Ledger },
    finalized: Checkpoint,
  ) {
    const { name } = chain.settings
    const finalizedEpoch = finalized.epoch
    const epoch = cursor.nextEpoch
    const members = ledger.members()
    const serials = members.map(({ serial }) => serial)
    const candidates = await this.ledgers.listCandidates(name, serials)
    if (members.length + candidates.length === 0) {
      const next = { ...cursorAt(chain, finalizedEpoch), idealGwei: await this.reader.idealGwei(chain, finalizedEpoch) }
      await this.ledgers.skip(lease, { chain: name, epoch, next })
      return next
    }
    const found = await this.finalized.read(chain, epoch, finalized)
    const data = await this.reader.read(chain, epoch, { ...found, members, candidates })
    if (mustWaitFor(data, cursor) && finalizedEpoch - epoch <= MAX_WAIT_EPOCHS) return undefined
    const { missedProposals, rewards } = data
    const { bookings, consolidations } = await this.bookingsOf(chain, epoch, { data, ledger })
    const next = { ...cursorAt(chain, epoch + 1), idealGwei: await this.reader.idealGwei(chain, epoch, data.breakdown) }
    for (const { serial, opening } of data.arrivals) ledger.open(serial, opening?.balanceGwei ?? 0n)
    ledger.book(bookings)
    const stakeEthEpochs = bookings.reduce((sum, { stakeGwei }) => sum + stakeGwei / GWEI_PER_ETH, 0n)
    const checkpoints = [found.openingRoot, found.closingRoot] as const
    const unexplained = unexplainedIn(bookings)
    const consolidated = consolidatedIn(bookings, consolidations)
    const unread = data.blocks.filter(({ payload }) => payload === undefined)
    const booked = {
      chain: name,
      epoch,
      day: cursor.openDay,
      next,
      stakeEthEpochs,
      rewards,
      missedProposals,
      unexplained,
      consolidated,
      unread,
      checkpoints,
    }
    await this.ledgers.book(lease, ledger, booked)
    this.alarms.check(name, epoch, bookings)
    this.alarms.checkBlocks(name, unread)
    if (next.openDay !== cursor.openDay) await this.endDay(name, cursor.openDay)
    return next
  }

  private async endDay(chain: string, day: Day): Promise<void> {
    this.alarms.checkDay(chain, day, await this.ledgers.listDifferences(chain, day))
    await this.ledgers.removeEpochs(chain, addDays(day, -KEPT_DAYS))
  }

  private async bookingsOf(chain: StakingChain, epoch: number, { data, ledger }: { data: EpochData; ledger: Ledger }) {
    const validatorEpochs = validatorEpochsOf(data, ledger)
    const isOpen = withOpenPrincipal(validatorEpochs, data).length > 0
    const principal = isOpen ? await this.reader.principal(chain, epoch, data) : NO_PRINCIPAL
    return { bookings: bookingsOf(validatorEpochs, data, principal), consolidations: principal?.consolidations ?? [] }
  }
}

const NO_PRINCIPAL: Principal = { gwei: new Map(), consolidations: [], isLeaking: false }

function mustWaitFor({ members, arrivals, breakdown }: EpochData, { idealGwei }: LedgerCursor): boolean {
  return breakdown === undefined && idealGwei !== undefined && members.length + arrivals.length > 0
}

function unexplainedIn(bookings: readonly Booking[]): { serial: number; gwei: bigint }[] {
  return bookings.map(({ serial, line }) => ({ serial, gwei: line.unexplainedGwei })).filter(({ gwei }) => gwei !== 0n)
}

function consolidatedIn(bookings: readonly Booking[], consolidations: Principal['consolidations']): { serial: number; into: number }[] {
  const targets = new Map(consolidations.map(({ sourceIndex, targetIndex }) => [sourceIndex, targetIndex]))
  return bookings.flatMap(({ serial, closing }) => {
    const into = targets.get(closing.index)
    return into === undefined ? [] : [{ serial, into }]
  })
}

function cursorAt(chain: StakingChain, epoch: number): LedgerCursor {
  const epochMs = Math.round(chain.secondsPerSlot * chain.slotsPerEpoch * 1000)
  return { nextEpoch: epoch, openDay: dayOf(chain.epochTime(epoch)), epochMs, idealGwei: undefined }
}

function validatorEpochsOf({ members, arrivals }: EpochData, ledger: Ledger): ValidatorEpoch[] {
  const validatorEpochs = members.map((state) => ({ ...state, closing: state, opening: ledger.balanceOf(state.serial) }))
  return [...validatorEpochs, ...arrivals.map((state) => ({ ...state, closing: state }))]
}
