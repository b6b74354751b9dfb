import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { Logger } from '@trestle/runtime/logger'
import { type DesiredMachine, DriverUnavailable, type ObservedMachine } from '../drivers/driver.js'
import { ProbeClient, ProbeFailed } from '../software/probe.client.js'
import type { ProbeResult } from '../software/probe-result.js'
import type { Machine } from '../workloads/workload.js'
import type { MachineLook } from './look.js'
import { MachineSteps } from './machine-steps.service.js'
import { judge } from './verdict.js'

/** What is known of a machine before it is judged. */
interface Found {
  readonly machine: Machine
  readonly wanted?: DesiredMachine
  readonly observed?: ObservedMachine
  readonly seen?: ProbeResult
  readonly problem?: string
}

/** Looks at machines: what their driver has of them, and what their programs say. */
@Injectable()
export class MachineLooker {
  constructor(
    private readonly steps: MachineSteps,
    private readonly probe: ProbeClient,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** At all of a workload, for one is judged by what the others are. */
  async look(machines: readonly Machine[]): Promise<MachineLook[]> {
    const found = await Promise.all(machines.map((machine) => this.find(machine)))
    await this.join(found)
    const bestHeight = Math.max(0, ...found.map(({ seen }) => seen?.height ?? 0))
    const now = this.clock.now()
    return found.map(({ machine, wanted, ...rest }) => {
      const isGone = machine.desiredState === 'gone' && !rest.observed && rest.problem === undefined
      return { machine, observed: rest.observed, verdict: judge(machine, { ...rest, bestHeight }, now), isGone }
    })
  }

  private async find(machine: Machine): Promise<Found> {
    let wanted: DesiredMachine | undefined
    let observed: ObservedMachine | undefined
    try {
      wanted = this.steps.wantedOf(machine)
      observed = await this.steps.take(machine, wanted)
      return { machine, wanted, observed, seen: await this.ask(wanted, observed) }
    } catch (error) {
      return { machine, wanted, observed, problem: this.problemOf(machine, error) }
    }
  }

  private async ask(wanted: DesiredMachine, observed?: ObservedMachine): Promise<ProbeResult | undefined> {
    if (!wanted.running || !observed?.running || !observed.address) return undefined
    return this.probe.probe({ ...wanted, address: observed.address })
  }

  /** A chain of one's own has nobody to learn from but its neighbours. */
  private async join(found: readonly Found[]): Promise<void> {
    const answering = found.filter(({ seen }) => seen && !seen.warmingUp)
    if (answering.length > 1) await Promise.all(answering.map((each) => this.joinOne(each, answering)))
  }

  private async joinOne({ machine, wanted, observed }: Found, answering: readonly Found[]): Promise<void> {
    const address = observed?.address
    if (!wanted || !address) return
    const others = answering.filter((other) => other.machine !== machine)
    const peers = others.flatMap(({ observed: its }) => (its?.peerAddress ? [its.peerAddress] : []))
    try {
      await this.probe.connectPeers({ ...wanted, address }, peers)
    } catch (error) {
      this.problemOf(machine, error)
    }
  }

  private problemOf({ id }: Machine, error: unknown): string {
    if (error instanceof DriverUnavailable || error instanceof ProbeFailed) return error.message
    this.logger.error({ err: error, machine: id }, 'a machine cannot be looked at')
    return 'Something unforeseen went wrong; the operator finds it in the log.'
  }
}
