import type { Type } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import type { TestNats } from '@trestle/testing/nats'
import { NatsConnection } from '../src/nats-connection.js'
import { ROOT, startReplica, type TestReplica, waitUntil } from './service.js'

/** A service that signs, once its subscriptions are in effect. */
export async function startSigner(nats: TestNats, options: { controllers?: Type[]; rootKey?: string } = {}): Promise<TestReplica> {
  const accounts = await startReplica({ service: 'accounts', nats, rootKey: ROOT.key, ...options })
  await untilConnected(accounts)
  return accounts
}

export async function untilConnected(replica: TestReplica): Promise<void> {
  await waitUntil(() => replica.get(NatsConnection).client !== undefined)
  await replica.get(NatsConnection).client?.flush()
}

/** What the metric says. */
export async function refusalsOf(replica: TestReplica): Promise<string[]> {
  const text = await replica.get(Metrics).registry.getSingleMetricAsString('signature_refusals_total')
  return text.split('\n').filter((line) => line.startsWith('signature_refusals_total{'))
}
