import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@trestle/testing/eventually'
import type { BuiltReplica, BuiltService } from './built-service.js'

interface Progress {
  readonly epoch: number
  readonly phase: string
  readonly step: number
  readonly height: number
}

const PROGRESS = `
  SELECT coalesce((SELECT max(epoch) FROM lease), 0)::int AS epoch, coalesce((SELECT phase FROM index_state), 'nothing') AS phase,
    coalesce((SELECT max(step) FROM load_step), 0) AS step, coalesce((SELECT max(height) FROM block), -1) AS height`

/** The one writer of an index, which is killed and started again. */
export class Victim {
  private replica?: BuiltReplica
  /** What it was doing, each time. */
  readonly killed: string[] = []

  constructor(
    private readonly service: BuiltService,
    private readonly settings: Record<string, string> = {},
  ) {}

  /** Starts it, and settles when it is the writer. */
  async start(): Promise<void> {
    const { epoch } = await this.progress()
    this.replica = await this.service.start('indexer', this.settings)
    const { process } = this.replica
    await eventually(
      async () => {
        if (!process.isRunning()) throw new Error(`the indexer ended:\n${process.lastLines(30)}`)
        await pause(20)
        return (await this.progress()).epoch > epoch || undefined
      },
      'the indexer is the writer',
      120_000,
    )
  }

  /** SIGKILL, after so long. */
  async killAfter(millis: number): Promise<void> {
    await pause(millis)
    const { phase, step } = await this.progress()
    await this.replica?.kill()
    this.killed.push(phase === 'merge' ? `merge after step ${step}` : phase)
  }

  /** SIGKILL while it comes up: it may or may not be the writer yet. */
  async startAndKill(millis: number): Promise<void> {
    this.replica = await this.service.start('indexer', this.settings)
    await pause(millis)
    await this.replica.kill()
    this.killed.push('start')
  }

  /** Settles when it is there, or beyond, or after a while. */
  async reached(phase: 'merge', withinMs: number): Promise<void> {
    const end = Date.now() + withinMs
    while (Date.now() < end && ![phase, 'tip'].includes((await this.progress()).phase)) await pause(2)
  }

  async progress(): Promise<Progress> {
    const { rows } = await this.service.sql.query<Progress>(PROGRESS)
    return rows[0] as Progress
  }

  /** Settles when its last block is another than it was, or after a while. */
  async moved(withinMs: number): Promise<void> {
    const { height } = await this.progress()
    const end = Date.now() + withinMs
    while (Date.now() < end && (await this.progress()).height === height) await pause(2)
  }
}
