import { Injectable } from '@nestjs/common'
import type { Lease } from '@trestle/database/lease'
import type { Chain } from '../chains/chain-facts.js'
import { Chains } from '../chains/chains.service.js'
import { addDays, dayOf } from './days.js'
import { EpochExtras } from './epoch-extras.service.js'
import { bookingsOf, type Course, unexplained } from './epoch-lines.js'
import { type EpochAnswers, EpochReader } from './epoch-reader.service.js'
import { type Booking, Ledger } from './ledger.js'
import { type Cursor, LedgerRepository } from './ledger.repository.js'

const GWEI_PER_ETH = 1_000_000_000n
// What made up a day is kept for a while after the day is sealed, to look into what somebody asks about.
const KEPT_DAYS = 14

// A node that has told what earnings are made of will tell it again: one that is behind, or starts up, is waited for so long.
const PATIENCE_EPOCHS = 3

/** A chain's ledger while this process writes it. */
export interface LedgerRun {
  readonly chain: Chain
  readonly lease: Lease
  /** As it was committed last; read again after anything that went wrong. */
  open?: { cursor: Cursor; ledger: Ledger }
}

/** Books final epochs, one after the other. */
@Injectable()
export class Epochs {
  constructor(
    private readonly chains: Chains,
    private readonly reader: EpochReader,
    private readonly books: LedgerRepository,
    private readonly extras: EpochExtras,
  ) {}

  /** Whether an epoch was booked: there may be more. */
  async turn(run: LedgerRun): Promise<boolean> {
    const { open } = run
    run.open = undefined
    const { finalizedEpoch } = await this.chains.beacon(run.chain.settings.name).finality()
    const { cursor, ledger } = open ?? (await this.load(run.chain, finalizedEpoch))
    // The state at the next epoch's first slot has to be final.
    if (cursor.nextEpoch >= finalizedEpoch) {
      run.open = { cursor, ledger }
      return false
    }
    const next = await this.bookNext(run, { cursor, ledger }, finalizedEpoch)
    run.open = { cursor: next ?? cursor, ledger }
    return next !== undefined
  }

  private async load(chain: Chain, finalizedEpoch: number): Promise<{ cursor: Cursor; ledger: Ledger }> {
    const { name } = chain.settings
    const known = await this.books.findCursor(name)
    if (known) return { cursor: known, ledger: new Ledger(await this.books.listPieces(name)) }
    const created = await this.books.findFirstCreated(name)
    // Before it was made here, no validator of ours was on the chain.
    const first = created ? Math.min(finalizedEpoch, chain.epochAt(created)) : finalizedEpoch
    await this.books.create(name, cursorAt(chain, first))
    return this.load(chain, finalizedEpoch)
  }

  /** Undefined where it is to be waited for. */
  private async bookNext({ chain, lease }: LedgerRun, { cursor, ledger }: { cursor: Cursor; ledger: Ledger }, finalizedEpoch: number) {
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
    if (isToBeAwaited(answers, cursor) && finalizedEpoch - epoch <= PATIENCE_EPOCHS) return undefined
    const { missedProposals } = answers
    const bookings = await this.decide(chain, epoch, { answers, ledger })
    const rewards = await this.extras.rewards(name, answers)
    const next = { ...cursorAt(chain, epoch + 1), idealGwei: await this.extras.idealGwei(name, epoch, answers) }
    for (const { serial, opening } of answers.arrivals) ledger.open(serial, opening?.balanceGwei ?? 0n)
    ledger.book(bookings)
    const stakeEthEpochs = bookings.reduce((sum, { stakeGwei }) => sum + stakeGwei / GWEI_PER_ETH, 0n)
    await this.books.book(lease, ledger, { chain: name, epoch, day: cursor.openDay, next, stakeEthEpochs, rewards, missedProposals })
    this.extras.look(chain, epoch, bookings)
    if (next.openDay !== cursor.openDay) await this.books.removeChunks(name, addDays(cursor.openDay, -KEPT_DAYS))
    return next
  }

  private async decide(chain: Chain, epoch: number, { answers, ledger }: { answers: EpochAnswers; ledger: Ledger }): Promise<Booking[]> {
    const courses = coursesOf(answers, ledger)
    const isOpen = unexplained(courses, answers).length > 0
    return bookingsOf(courses, answers, isOpen ? await this.reader.credited(chain, epoch) : new Map())
  }
}

function isToBeAwaited({ members, arrivals, breakdown }: EpochAnswers, { idealGwei }: Cursor): boolean {
  return breakdown === undefined && idealGwei !== undefined && members.length + arrivals.length > 0
}

function cursorAt(chain: Chain, epoch: number): Cursor {
  const epochMs = Math.round(chain.secondsPerSlot * chain.slotsPerEpoch * 1000)
  return { nextEpoch: epoch, openDay: dayOf(chain.epochTime(epoch)), epochMs, idealGwei: undefined }
}

function coursesOf({ members, arrivals }: EpochAnswers, ledger: Ledger): Course[] {
  const courses = members.map((state) => ({ ...state, closing: state, opening: ledger.standingOf(state.serial) }))
  return [...courses, ...arrivals.map((state) => ({ ...state, closing: state }))]
}
