import type { RunningService } from '@trestle/runtime/boot-service'
import { Metrics } from '@trestle/runtime/metrics'
import { Readiness } from '@trestle/runtime/readiness'
import { Channel } from './channel.engine.js'
import type { ToPrimary, ToWorker, WorkerReportKind } from './message.js'

/** The channel to the primary process; only a worker has one. */
export function channelToPrimary(): Channel<ToPrimary, ToWorker> {
  return new Channel<ToPrimary, ToWorker>(process)
}

/** Answers the primary process, once the worker serves. */
export function servePrimary(service: RunningService): void {
  const channel = channelToPrimary()
  channel.onMessage((message) => {
    if (message.type === 'report')
      void reportOf(service, message.kind).then((report) => channel.send({ type: 'reported', id: message.id, report }))
    if (message.type === 'stop') {
      void service.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    }
  })
  channel.send({ type: 'up' })
}

async function reportOf({ app }: RunningService, kind: WorkerReportKind): Promise<unknown> {
  return kind === 'readiness' ? app.get(Readiness).report() : app.get(Metrics).registry.getMetricsAsJSON()
}
