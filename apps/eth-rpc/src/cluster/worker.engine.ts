import type { RunningService } from '@trestle/runtime/boot-service'
import { Metrics } from '@trestle/runtime/metrics'
import { Readiness } from '@trestle/runtime/readiness'
import { Channel } from './channel.engine.js'
import type { ToPrimary, ToWorker, WorkerReportKind } from './message.js'

/** The way to the primary; only a worker has one. */
export function channelToPrimary(): Channel<ToPrimary, ToWorker> {
  return new Channel<ToPrimary, ToWorker>(process)
}

/** Does what the primary asks of a worker, once it serves. */
export function servePrimary(service: RunningService): void {
  const channel = channelToPrimary()
  channel.onMessage((message) => {
    if (message.type === 'ask')
      void answer(service, message.about).then((answer) => channel.send({ type: 'answer', id: message.id, answer }))
    if (message.type === 'stop') {
      void service.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    }
  })
  channel.send({ type: 'up' })
}

async function answer({ app }: RunningService, about: WorkerReportKind): Promise<unknown> {
  return about === 'readiness' ? app.get(Readiness).report() : app.get(Metrics).registry.getMetricsAsJSON()
}
