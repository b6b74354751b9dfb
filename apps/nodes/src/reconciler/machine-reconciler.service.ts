import { Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import { Logger } from '@trestle/runtime/logger'
import { type DesiredMachine, DriverUnavailable, type ObservedMachine } from '../drivers/driver.js'
import { ProbeClient, ProbeFailed } from '../software/probe.client.js'
import type { ProbeResult } from '../software/probe-result.js'
import type { Machine } from '../workloads/workload.js'
import { machineStatusOf } from './machine-status.js'
import { MachineStepsService } from './machine-steps.service.js'
import type { ReconciledMachine } from './reconciliation.js'

/** What the driver and the program reported of a machine. */
interface ObservedStep {
  readonly machine: Machine
  readonly desired?: DesiredMachine
  readonly observed?: ObservedMachine
  readonly probed?: ProbeResult
  readonly problem?: string
}

/** Takes the next step of machines, and observes them: by their driver, and by asking their programs. */
@Injectable()
export class MachineReconcilerService {
  constructor(
    private readonly steps: MachineStepsService,
    private readonly probe: ProbeClient,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** All machines of a workload together, for the status of one depends on the height of the others. */
  async reconcile(machines: readonly Machine[]): Promise<ReconciledMachine[]> {
    const results = await Promise.all(machines.map((machine) => this.step(machine)))
    await this.connectPeers(results)
    const bestHeight = Math.max(0, ...results.map(({ probed }) => probed?.height ?? 0))
    const now = this.clock.now()
    return results.map(({ machine, desired, ...rest }) => {
      const isGone = machine.desiredState === 'gone' && !rest.observed && rest.problem === undefined
      return { machine, observed: rest.observed, status: machineStatusOf(machine, { ...rest, bestHeight }, now), isGone }
    })
  }

  private async step(machine: Machine): Promise<ObservedStep> {
    let desired: DesiredMachine | undefined
    let observed: ObservedMachine | undefined
    try {
      desired = this.steps.desiredOf(machine)
      observed = await this.steps.take(machine, desired)
      return { machine, desired, observed, probed: await this.probeRunning(desired, observed) }
    } catch (error) {
      return { machine, desired, observed, problem: this.describeError(machine, error) }
    }
  }

  private async probeRunning(desired: DesiredMachine, observed?: ObservedMachine): Promise<ProbeResult | undefined> {
    if (!desired.running || !observed?.running || !observed.address) return undefined
    return this.probe.probe({ ...desired, address: observed.address })
  }

  /** The machines of a private chain have no peers but each other. */
  private async connectPeers(results: readonly ObservedStep[]): Promise<void> {
    const answering = results.filter(({ probed }) => probed && !probed.warmingUp)
    if (answering.length > 1) await Promise.all(answering.map((each) => this.connectPeersOf(each, answering)))
  }

  private async connectPeersOf({ machine, desired, observed }: ObservedStep, answering: readonly ObservedStep[]): Promise<void> {
    const address = observed?.address
    if (!desired || !address) return
    const others = answering.filter((other) => other.machine !== machine)
    const peers = others.flatMap((each) => (each.observed?.peerAddress ? [each.observed.peerAddress] : []))
    try {
      await this.probe.connectPeers({ ...desired, address }, peers)
    } catch (error) {
      this.describeError(machine, error)
    }
  }

  private describeError({ id }: Machine, error: unknown): string {
    if (error instanceof DriverUnavailable || error instanceof ProbeFailed) return error.message
    this.logger.error({ err: error, machine: id }, 'a machine could not be reconciled')
    return 'An unexpected error occurred; it is in the log of the service.'
  }
}
