import { maySignAttestation, parseInterchange } from '@trestle/ethereum/slashing-protection'
import { regionSignerAfter, type SignerRecord } from '../src/custody/region-signer.js'
import { slashingProtectionOf } from '../src/lifecycle/signing-history.js'
import { silenceAfter } from '../src/lifecycle/silence.js'
import { type ChainObservation, type ChainTiming, lastSignedEpoch, mayHaveDuties, signerStep } from '../src/lifecycle/steps.js'
import type { ValidatorRecord } from '../src/lifecycle/validator-record.js'
import { EARLIER, OWN, record, validator } from './observed-validators.js'

const EPOCH_MS = 384_000
const ROOT = Buffer.alloc(32, 1)
const SLOTS = 32
const GENESIS = EARLIER.getTime()
const NAMES = ['a', 'b', 'c'] as const
type Name = (typeof NAMES)[number]

export interface Vote {
  readonly source: number
  readonly target: number
}

interface Signer {
  holds: boolean
  /** A process that does not run signs nothing, and keeps what it has. */
  runs: boolean
  history: string[]
}

/** What a backup contains. */
interface Database {
  validator: ValidatorRecord
  region?: SignerRecord
  histories: readonly string[]
}

const timing: ChainTiming = {
  shardCommitteePeriod: 256,
  epochTime: (epoch) => new Date(GENESIS + epoch * EPOCH_MS),
  epochAt: (now) => Math.floor((now.getTime() - GENESIS) / EPOCH_MS),
}

export type CustodyAct = readonly [
  kind:
    | 'pass'
    | 'lost-answer'
    | 'crash'
    | 'epoch'
    | 'backup'
    | 'restore'
    | 'move'
    | 'empty'
    | 'stop'
    | 'start'
    | 'accept'
    | 'allow'
    | 'remove'
    | 'pay'
    | 'stale',
  which: number,
]

export class CustodyWorld {
  now = new Date(GENESIS + 1)
  database: Database = { validator: record({ createdAt: this.now }), histories: [] }
  backup?: Database
  url: Name = 'a'
  isPaid = false
  paidAt = 0
  readonly votes: Vote[] = []
  readonly signers: Record<Name, Signer> = {
    a: { holds: false, runs: true, history: [] },
    b: { holds: false, runs: true, history: [] },
    c: { holds: false, runs: true, history: [] },
  }
  imports = 0
  /** An import that a replica without the lease has still under way. */
  private stale?: () => void

  /** With other keys in the region, which every signer lists, one that lost this key looks as before. */
  constructor(private readonly hasOthers: boolean) {}

  get holders(): Name[] {
    return NAMES.filter((name) => this.signers[name].holds)
  }

  get epoch(): number {
    return timing.epochAt(this.now)
  }

  act([kind, which]: CustodyAct): void {
    const name = NAMES[which % NAMES.length] as Name
    const acts: Record<CustodyAct[0], () => void> = {
      pass: () => this.pass('whole'),
      'lost-answer': () => this.pass('lost-answer'),
      crash: () => this.pass('crash'),
      epoch: () => this.nextEpoch(),
      backup: () => {
        this.backup = this.database
      },
      // Nobody restores within minutes, and meanwhile nothing runs.
      restore: () => {
        if (!this.backup) return
        this.database = this.backup
        for (let epochs = 0; epochs < 3; epochs++) this.nextEpoch()
      },
      move: () => {
        this.url = name
      },
      empty: () => {
        this.signers[name].holds = false
        this.signers[name].history = []
      },
      stop: () => {
        this.signers[name].runs = false
      },
      start: () => {
        this.signers[name].runs = true
      },
      accept: () => this.accept(),
      allow: () => this.allow(),
      remove: () => {
        const { validator } = this.database
        this.database = { ...this.database, validator: { ...validator, removedAt: validator.removedAt ?? this.now } }
      },
      pay: () => {
        if (!this.isPaid) this.paidAt = this.epoch
        this.isPaid = true
      },
      stale: () => {
        this.stale?.()
        this.stale = undefined
      },
    }
    acts[kind]()
  }

  /** What another holder of the key, wherever it is, would make of an administrator's word. */
  private get isElsewhere(): boolean {
    return NAMES.some((name) => name !== this.url && this.signers[name].holds)
  }

  private accept(): void {
    const { region, validator } = this.database
    if (!region?.other || region.other.identity !== this.identity || this.isElsewhere) return
    const lostAt = validator.custody.listedAt ? (validator.custody.lostAt ?? this.now) : undefined
    const custody = { ...validator.custody, lostAt, silence: undefined, recoveryAllowedAt: undefined }
    this.database = {
      ...this.database,
      region: { ...region, identity: region.other.identity, other: undefined },
      validator: { ...validator, custody },
    }
  }

  private allow(): void {
    const { validator } = this.database
    if (this.isElsewhere || this.signers[this.url].holds || !this.database.region?.identity) return
    this.database = { ...this.database, validator: { ...validator, custody: { ...validator.custody, recoveryAllowedAt: this.now } } }
  }

  private get identity(): string {
    return `token:${this.url}`
  }

  private get observation(): ChainObservation {
    const { now, epoch } = this
    const isOnChain = this.isPaid && epoch > this.paidAt
    const activationEpoch = this.paidAt + 4
    const status = epoch >= activationEpoch ? 'active_ongoing' : 'pending_queued'
    return {
      ...{ now, askedAt: now, epoch, deposits: this.isPaid ? [{ withdrawalCredentials: OWN, at: now }] : [] },
      validator: isOnChain ? validator({ status, activationEpoch: epoch + 3 >= activationEpoch ? activationEpoch : undefined }) : undefined,
    }
  }

  private pass(how: 'whole' | 'lost-answer' | 'crash'): void {
    const signer = this.signers[this.url]
    const { validator: before, region: known } = this.database
    const expected = before.custody.listedAt && !before.custody.lostAt && !before.signer.releasedAt ? 1 : 0
    const others = this.hasOthers ? 1 : 0
    const count = { expected: expected + others, found: (signer.holds ? expected : 0) + others, unknown: 0 }
    const contact = { kind: 'listed', identity: this.identity, keys: [] } as const
    const region = regionSignerAfter({ chain: 'dev', region: 'eu' }, known, contact, { count, now: this.now })
    const binding = region.other || !region.identity ? undefined : { identity: region.identity, watchedSince: region.watchedSince }
    const presence = { held: signer.holds, heldElsewhere: false, binding }
    const { observation } = this
    const isWatched = !signer.holds && mayHaveDuties(observation)
    const isLive = this.votes.some(({ target }) => target >= this.epoch - 1)
    const silence = isWatched ? silenceAfter(before.custody.silence, { epoch: this.epoch - 1, isLive }) : before.custody.silence
    const index = observation.validator ? 5 : before.chain.index
    const depositedAt = before.chain.depositedAt ?? (observation.deposits.length > 0 ? this.now : undefined)
    const current = { ...before, custody: { ...before.custody, silence }, chain: { ...before.chain, index, depositedAt } }
    const step = signerStep(current, presence, observation, timing)
    const isLost = !signer.holds && binding && current.custody.listedAt
    const custody = { ...current.custody, lostAt: isLost ? (current.custody.lostAt ?? this.now) : current.custody.lostAt }
    this.database = { ...this.database, region, validator: { ...current, custody } }
    if (step === 'keep') this.saveListed(binding?.identity)
    else if (step === 'release') this.release(how)
    else if (step === 'import' && binding) this.import(current, binding.identity, how)
  }

  private saveListed(identity: string | undefined): void {
    const { validator } = this.database
    const custody = { identity: identity ?? validator.custody.identity, listedAt: validator.custody.listedAt ?? this.now }
    this.database = { ...this.database, validator: { ...validator, custody, signer: { ...validator.signer, releasedAt: undefined } } }
  }

  private release(how: 'whole' | 'lost-answer' | 'crash'): void {
    if (how === 'crash') return
    const signer = this.signers[this.url]
    signer.holds = false
    if (how === 'lost-answer') return
    const { validator, histories } = this.database
    const released = { ...validator, custody: {}, signer: { ...validator.signer, releasedAt: this.now } }
    this.database = { ...this.database, validator: released, histories: [...histories, ...signer.history] }
  }

  private import(current: ValidatorRecord, identity: string, how: 'whole' | 'lost-answer' | 'crash'): void {
    const { validator, histories } = this.database
    const epoch = lastSignedEpoch(current, this.observation, timing)
    const protection = slashingProtectionOf(
      current.pubkey,
      histories,
      ROOT,
      epoch === undefined ? undefined : { epoch, slotsPerEpoch: SLOTS },
    )
    const custody = { ...validator.custody, identity, recoveryAllowedAt: undefined }
    const signerState = { importedAt: validator.signer.importedAt ?? this.now }
    this.database = { ...this.database, validator: { ...validator, custody, signer: signerState } }
    this.imports++
    const send = () => {
      // The request names the signer that it is for, and times out within the epoch after.
      if (this.identity !== identity) return
      const signer = this.signers[this.url]
      signer.holds = true
      signer.history = [...signer.history, protection]
    }
    const { epoch: sentAt } = this
    if (how === 'crash')
      this.stale = () => {
        if (this.epoch <= sentAt + 1) send()
      }
    else send()
  }

  /** Whoever has the key and runs votes if its history allows it. */
  private nextEpoch(): void {
    const { epoch } = this
    const isActive = this.observation.validator?.status === 'active_ongoing'
    for (const name of NAMES) {
      const signer = this.signers[name]
      const vote = { sourceEpoch: BigInt(Math.max(0, epoch - 1)), targetEpoch: BigInt(epoch) }
      const histories = signer.history.flatMap((text) => parseInterchange(text, ROOT).histories)
      if (!isActive || !signer.holds || !signer.runs || !histories.every((history) => maySignAttestation(history, vote))) continue
      this.votes.push({ source: epoch - 1, target: epoch })
      signer.history = [...signer.history, slashingProtectionOf(record().pubkey, [interchangeOf(epoch - 1, epoch)], ROOT)].slice(-8)
    }
    this.now = new Date(this.now.getTime() + EPOCH_MS)
  }
}

function interchangeOf(source: number, target: number): string {
  return JSON.stringify({
    metadata: { interchange_format_version: '5', genesis_validators_root: `0x${ROOT.toString('hex')}` },
    data: [
      {
        pubkey: `0x${record().pubkey.toString('hex')}`,
        signed_blocks: [],
        signed_attestations: [{ source_epoch: String(source), target_epoch: String(target) }],
      },
    ],
  })
}
