import { Injectable } from '@nestjs/common'
import { databaseProblem } from '@trestle/database/database-problem'
import { gather } from '@trestle/database/gather'
import { Clock } from '@trestle/runtime/clock'
import { LRUCache } from 'lru-cache'
import { unavailable } from '../framing/rpc-error.js'
import type { LiveProject } from './live-project.js'
import { type Found, ProjectReader } from './project-reader.service.js'

const ID = /^[0-9a-f]{32}$/
const MAX_HELD = 10_000
const MAX_MISSING = 50_000
const MISSING_MS = 5_000
// While Postgres is away, and with it everybody who could change a project, what is known is served on for so long.
const STALE_MS = 3_600_000
const IDLE_MS = 3_600_000
const MAX_LOOKING = 1_000
const CHUNK = 1_000

interface Held extends Found {
  goodUntil: number
  usedAt: number
}

/** The projects that this process serves, in memory. */
@Injectable()
export class LiveProjects {
  readonly #held = new LRUCache<string, Held>({ max: MAX_HELD })
  /** Ids that lead nowhere, and until when that is believed. */
  readonly #missing = new LRUCache<string, number>({ max: MAX_MISSING })
  readonly #looking = new Map<string, Promise<LiveProject | undefined>>()
  /** When a change was last told of, by serial number, on the clock of `#begun`. */
  readonly #told = new LRUCache<number, number>({ max: MAX_HELD })
  #begun = 0
  readonly #find = gather((ids: string[]) => this.read(ids))

  constructor(
    private readonly reader: ProjectReader,
    private readonly clock: Clock,
  ) {}

  /** At once where it is known; rejects with an RpcFailure where it cannot be known at the moment. */
  get(id: string): LiveProject | undefined | Promise<LiveProject | undefined> {
    const known = this.known(id)
    if (known) return known
    if (!ID.test(id) || this.clock.now().getTime() < (this.#missing.get(id) ?? 0)) return undefined
    return this.look(id)
  }

  /** Undefined also where it only has to be looked up. */
  known(id: string): LiveProject | undefined {
    const now = this.clock.now().getTime()
    const held = this.#held.get(id)
    if (!held || now >= held.goodUntil) return undefined
    held.usedAt = now
    return held.project
  }

  /** A project has changed: it is read before it is served again. */
  forget(serial: number): void {
    this.#told.set(serial, ++this.#begun)
    for (const [id, held] of this.#held.entries()) {
      if (held.project.serial !== serial) continue
      held.goodUntil = 0
      // Whoever looks at it already may have looked too early.
      this.#looking.delete(id)
    }
  }

  /** Reads everything that is held: for what was not heard of. */
  async readAgain(): Promise<void> {
    const idleSince = this.clock.now().getTime() - IDLE_MS
    for (const [id, { usedAt }] of [...this.#held.entries()]) if (usedAt < idleSince) this.#held.delete(id)
    const ids = [...this.#held.keys()]
    while (ids.length > 0) await this.read(ids.splice(0, CHUNK))
  }

  private look(id: string): Promise<LiveProject | undefined> {
    const known = this.#looking.get(id)
    if (known) return known
    if (this.#looking.size >= MAX_LOOKING) throw tooMany()
    const looking = this.findProject(id).finally(() => {
      if (this.#looking.get(id) === looking) this.#looking.delete(id)
    })
    this.#looking.set(id, looking)
    return looking
  }

  private async findProject(id: string): Promise<LiveProject | undefined> {
    try {
      const found = await this.#find(id)
      return found && this.clock.now().getTime() < found.until ? found.project : undefined
    } catch (error) {
      throw databaseProblem(error) ? unavailable('projects cannot be looked up at the moment') : error
    }
  }

  private async read(ids: readonly string[]): Promise<Map<string, Found>> {
    const begun = ++this.#begun
    const found = await this.reader.read(ids, (id) => this.#held.peek(id))
    const now = this.clock.now().getTime()
    for (const id of ids) this.hold(id, found.get(id), { begun, now })
    return found
  }

  private hold(id: string, found: Found | undefined, { begun, now }: { begun: number; now: number }): void {
    if (!found || found.until <= now) {
      this.#held.delete(id)
      this.#missing.set(id, now + MISSING_MS)
      return
    }
    // A change that was told of meanwhile may be missing in what was read.
    const late = (this.#told.get(found.project.serial) ?? 0) > begun
    const usedAt = this.#held.peek(id)?.usedAt ?? now
    this.#missing.delete(id)
    this.#held.set(id, { ...found, usedAt, goodUntil: late ? 0 : Math.min(found.until, now + STALE_MS) })
  }
}

function tooMany() {
  return unavailable('too many projects are looked up at the moment')
}
