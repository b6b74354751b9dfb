import {
  AckPolicy,
  type ConsumerInfo,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { ConsumerPlan, StreamPlan } from '@trestle/contracts/nats/stream-plans'

/** No server leads the stream; or the answer came from one that has missed that another does. */
export class NoLeader extends Error {
  override readonly name = 'NoLeader'
}

interface EnsuredStream {
  readonly info: StreamInfo
  readonly consumers: readonly ConsumerInfo[]
}

/** Creates a stream and its durable consumers where they are missing, and changes a stream that was created otherwise. */
export async function ensureStream(manager: JetStreamManager, plan: StreamPlan, replicas = 1): Promise<EnsuredStream> {
  const wanted = { ...configOf(plan), num_replicas: replicas }
  const info = await manager.streams.info(plan.name).then(
    withLeader,
    ifMissing(() => manager.streams.add(wanted)),
  )
  // A release before, or a deployment that is configured no longer, may have added others.
  const subjects = [...new Set([...info.config.subjects, ...plan.subjects])]
  if (subjects.length > info.config.subjects.length || differs(info.config, { ...wanted, subjects }))
    await manager.streams.update(plan.name, { ...wanted, subjects })
  const consumers = await Promise.all(plan.consumers.map((consumer) => ensureConsumer(manager, info, consumer)))
  return { info, consumers }
}

/** A consumer that is ahead of a stream that lost messages would not receive what is stored in their place: it begins again. */
async function ensureConsumer(manager: JetStreamManager, stream: StreamInfo, { name, subject }: ConsumerPlan): Promise<ConsumerInfo> {
  const config = {
    durable_name: name,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    // Of a message that is not acknowledged.
    ack_wait: nanos(60_000),
    max_ack_pending: 1_000,
    max_deliver: -1,
  }
  const create = () => manager.consumers.add(stream.config.name, config)
  const consumer = await manager.consumers.info(stream.config.name, name).catch(ifMissing(create))
  if (!isAhead(consumer, stream)) return consumer
  // What has arrived since the stream was asked may be delivered already.
  if (!isAhead(consumer, await manager.streams.info(stream.config.name))) return consumer
  await manager.consumers.delete(stream.config.name, name)
  return create()
}

function isAhead({ delivered, ack_floor }: ConsumerInfo, { state }: StreamInfo): boolean {
  return Math.max(delivered.stream_seq, ack_floor.stream_seq) > state.last_seq
}

function configOf({ name, subjects, maxAgeMs, maxBytes, maxMessageBytes }: StreamPlan) {
  return {
    name,
    subjects: [...subjects],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(maxAgeMs),
    max_bytes: maxBytes,
    duplicate_window: nanos(120_000),
    ...(maxMessageBytes !== undefined && { max_msg_size: maxMessageBytes, max_msgs_per_subject: 1 }),
  } satisfies Partial<StreamConfig>
}

function differs(config: StreamConfig, wanted: Partial<StreamConfig>): boolean {
  const { max_age, max_bytes, max_msg_size, max_msgs_per_subject, num_replicas } = { ...config, ...wanted }
  return (
    config.max_age !== max_age ||
    config.max_bytes !== max_bytes ||
    config.max_msg_size !== max_msg_size ||
    config.max_msgs_per_subject !== max_msgs_per_subject ||
    config.num_replicas !== num_replicas
  )
}

/** Refuses the answer of a server whose word is not the cluster's. */
export function withLeader(info: StreamInfo): StreamInfo {
  if (info.cluster && !info.cluster.leader) throw new NoLeader(`The stream ${info.config.name} has no leader.`)
  return info
}

function ifMissing<T>(create: () => Promise<T>): (error: unknown) => Promise<T> {
  return (error) => {
    if (error instanceof JetStreamApiError && error.status === 404) return create()
    throw error
  }
}
