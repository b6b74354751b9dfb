import type { UsageMeter } from '@trestle/usage/usage-meter'
import type { SumName, UsageKind } from '@trestle/usage/usage-sums'

export const WORKLOAD_USAGE: UsageKind = {
  service: 'nodes',
  route: '/rpc/{id}',
  maxWaitingRows: 100_000,
  table: {
    name: 'usage',
    key: 'holding_id',
    keyType: 'text',
    columns: [
      ['calls', 'calls'],
      ['errors', 'errors'],
      ['bytesOut', 'bytes_out'],
    ],
    latencyBuckets: 0,
    none: () => ({ calls: 0, errors: 0, bytesOut: 0, latency: [] }),
  },
}

export function countCalls(meter: UsageMeter, method: string, { calls, errors, bytesOut }: Readonly<Record<SumName, number>>): void {
  const sums = meter.of(method)
  sums.calls += calls
  sums.errors += errors
  sums.bytesOut += bytesOut
}
