import { JetStreamApiError } from '@nats-io/jetstream'
import { errors } from '@nats-io/transport-node'
import { NoLeader } from './ensure-stream.js'

export type FailureReason = keyof typeof ADVICE

/** What an operator does next. */
export const ADVICE = {
  store_full: 'The JetStream store is too small for what its streams reserve: give nats-server more max_file_store.',
  no_stream: 'Accounts creates the streams: check that it runs and what it logs about this stream.',
  too_few_servers: 'Start more NATS servers, or lower NATS_REPLICAS of accounts.',
  no_leader: 'Most of the NATS servers that store the stream have to run and reach one another.',
  not_acknowledged: 'Check that most of the NATS servers that store the stream run, and how busy their disks are.',
  refused: 'The error says why.',
} as const

// JetStream's error codes (nats-server, errors.json).
const REASONS = new Map<number, FailureReason>([
  [10_002, 'store_full'],
  [10_023, 'store_full'],
  [10_028, 'store_full'],
  [10_047, 'store_full'],
  [10_077, 'store_full'],
  [10_059, 'no_stream'],
  [10_005, 'too_few_servers'],
  [10_074, 'too_few_servers'],
  [10_008, 'no_leader'],
  [10_009, 'no_leader'],
])

/** Why JetStream did not do something, as a label of metrics. */
export function failureReason(error: unknown): FailureReason {
  if (error instanceof NoLeader) return 'no_leader'
  if (error instanceof JetStreamApiError) return REASONS.get(error.code) ?? 'refused'
  if (error instanceof errors.TimeoutError) return 'not_acknowledged'
  if (error instanceof errors.RequestError && error.isNoResponders()) return 'no_stream'
  return error instanceof Error && error.cause ? failureReason(error.cause) : 'refused'
}
