import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import type { Chain } from '../chains/chain.js'
import { ChainsService } from '../chains/chains.service.js'
import { addDays, dayOf } from './days.js'
import { EpochExtrasService } from './epoch-extras.service.js'
import { bookingsOf, unexplainedOf, type ValidatorEpoch } from './epoch-lines.js'
import { type EpochData, EpochReaderService } from './epoch-reader.service.js'
import { type Booking, Ledger } from './ledger.js'
import { type LedgerCursor, LedgerRepository } from './ledger.repository.js'

const GWEI_PER_ETH = 1_000_000_000n
// What made up a day is kept for a while after the day is sealed, to look into what somebody asks about.
const KEPT_DAYS = 14

// A node that has told what earnings are made of will tell it again: one that is behind, or starts up, is waited for so long.
const MAX_WAIT_EPOCHS = 3

/** A chain's ledger while this process writes it. */
export interface LedgerRun {
  readonly chain: Chain
  readonly lease: Lease
  /** As it was committed last; read again after anything that went wrong. */
  open?: { cursor: LedgerCursor; ledger: Ledger }
}

/** Books final epochs, one after the other. */
@Injectable()
export class EpochsService {
  constructor(
    private readonly chains: ChainsService,
    private readonly reader: EpochReaderService,
    private readonly books: LedgerRepository,
    private readonly extras: EpochExtrasService,
  ) {}

  /** Whether an epoch was booked: there may be more. */
  async bookNext(run: LedgerRun): Promise<boolean> {
    const { open } = run
    run.open = undefined
    const { finalizedEpoch } = await this.chains.beacon(run.chain.settings.name).finality()
    const { cursor, ledger } = open ?? (await this.load(run.chain, finalizedEpoch))
    // The state at the next epoch's first slot has to be final.
    if (cursor.nextEpoch >= finalizedEpoch) {
      run.open = { cursor, ledger }
      return false
    }
    const next = await this.bookEpoch(run, { cursor, ledger }, finalizedEpoch)
    run.open = { cursor: next ?? cursor, ledger }
    return next !== undefined
  }

  private async load(chain: Chain, finalizedEpoch: number): Promise<{ cursor: LedgerCursor; ledger: Ledger }> {
    const { name } = chain.settings
    const known = await this.books.findCursor(name)
    if (known) return { cursor: known, ledger: new Ledger(await this.books.listShards(name)) }
    const created = await this.books.findFirstCreated(name)
    // Before it was made here, no validator of ours was on the chain.
    const first = created ? Math.min(finalizedEpoch, chain.epochAt(created)) : finalizedEpoch
    await this.books.create(name, cursorAt(chain, first))
    return this.load(chain, finalizedEpoch)
  }

  /** Undefined where it is to be waited for. */
  private async bookEpoch(
    { chain, lease }: LedgerRun,
    { cursor, ledger }: { cursor: LedgerCursor; ledger: Ledger },
    finalizedEpoch: number,
  ) {
    const { name } = chain.settings
    const epoch = cursor.nextEpoch
    const members = ledger.members()
    const serials = members.map(({ serial }) => serial)
    const candidates = await this.books.listCandidates(name, serials)
    if (members.length + candidates.length === 0) {
      const next = { ...cursorAt(chain, finalizedEpoch), idealGwei: await this.extras.idealGwei(name, finalizedEpoch) }
      await this.books.skip(lease, { chain: name, epoch, next })
      return next
    }
    const answers = await this.reader.read(chain, epoch, { members, candidates })
    if (mustWaitFor(answers, cursor) && finalizedEpoch - epoch <= MAX_WAIT_EPOCHS) return undefined
    const { missedProposals } = answers
    const bookings = await this.decide(chain, epoch, { answers, ledger })
    const rewards = await this.extras.rewards(name, answers)
    const next = { ...cursorAt(chain, epoch + 1), idealGwei: await this.extras.idealGwei(name, epoch, answers) }
    for (const { serial, opening } of answers.arrivals) ledger.open(serial, opening?.balanceGwei ?? 0n)
    ledger.book(bookings)
    const stakeEthEpochs = bookings.reduce((sum, { stakeGwei }) => sum + stakeGwei / GWEI_PER_ETH, 0n)
    await this.books.book(lease, ledger, { chain: name, epoch, day: cursor.openDay, next, stakeEthEpochs, rewards, missedProposals })
    this.extras.check(chain, epoch, bookings)
    if (next.openDay !== cursor.openDay) await this.books.removeEpochs(name, addDays(cursor.openDay, -KEPT_DAYS))
    return next
  }

  private async decide(chain: Chain, epoch: number, { answers, ledger }: { answers: EpochData; ledger: Ledger }): Promise<Booking[]> {
    const courses = validatorEpochsOf(answers, ledger)
    const isOpen = unexplainedOf(courses, answers).length > 0
    return bookingsOf(courses, answers, isOpen ? await this.reader.credited(chain, epoch) : new Map())
  }
}

function mustWaitFor({ members, arrivals, breakdown }: EpochData, { idealGwei }: LedgerCursor): boolean {
  return breakdown === undefined && idealGwei !== undefined && members.length + arrivals.length > 0
}

function cursorAt(chain: Chain, epoch: number): LedgerCursor {
  const epochMs = Math.round(chain.secondsPerSlot * chain.slotsPerEpoch * 1000)
  return { nextEpoch: epoch, openDay: dayOf(chain.epochTime(epoch)), epochMs, idealGwei: undefined }
}

function validatorEpochsOf({ members, arrivals }: EpochData, ledger: Ledger): ValidatorEpoch[] {
  const courses = members.map((state) => ({ ...state, closing: state, opening: ledger.balanceOf(state.serial) }))
  return [...courses, ...arrivals.map((state) => ({ ...state, closing: state }))]
}
