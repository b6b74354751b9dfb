import { Injectable } from '@nestjs/common'
import { databaseProblem } from '@trestle/database/database-problem'
import { LiveRows } from '@trestle/database/live-rows'
import { Clock } from '@trestle/runtime/clock'
import { unavailable } from '../framing/rpc-error.js'
import type { LiveProject } from './live-project.js'
import { type Found, ProjectReader } from './project-reader.service.js'

const ID = /^[0-9a-f]{32}$/
const MISSING_MS = 5_000
const IDLE_MS = 3_600_000

/** The projects that this process serves, in memory. */
@Injectable()
export class LiveProjects {
  /** Of changes only the serial number is told, which an id that leads nowhere has not. */
  readonly #rows: LiveRows<Found, number>

  constructor(reader: ProjectReader, clock: Clock) {
    this.#rows = new LiveRows({
      clock,
      id: ID,
      read: (ids, held) => reader.read(ids, held),
      keyOf: (_, found) => found?.project.serial,
      untilOf: ({ until }) => until,
      missingMs: MISSING_MS,
      idleMs: IDLE_MS,
      busy: () => unavailable('too many projects are looked up at the moment'),
    })
  }

  /** At once where it is known; rejects with an RpcFailure where it cannot be known at the moment. */
  get(id: string): LiveProject | undefined | Promise<LiveProject | undefined> {
    const found = this.#rows.get(id)
    return found instanceof Promise ? found.then(projectOf, fail) : projectOf(found)
  }

  /** Undefined also where it only has to be looked up. */
  known(id: string): LiveProject | undefined {
    return projectOf(this.#rows.known(id))
  }

  /** A project has changed: it is read before it is served again. */
  forget(serial: number): void {
    this.#rows.forget(serial, this.idsOf(serial))
  }

  /** Reads everything that is held: for what was not heard of. */
  async readAgain(): Promise<void> {
    await this.#rows.readAgain()
  }

  private *idsOf(serial: number): Generator<string> {
    for (const [id, { project }] of this.#rows.held()) if (project.serial === serial) yield id
  }
}

function projectOf(found: Found | undefined): LiveProject | undefined {
  return found?.project
}

function fail(error: unknown): never {
  throw databaseProblem(error) ? unavailable('projects cannot be looked up at the moment') : error
}
