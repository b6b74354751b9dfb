import {
  AckPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { ConsumerPlan, StreamPlan } from '@trestle/contracts/nats/stream-plans'

/** Creates a stream and its durable consumers where they are missing, and changes a stream that was created otherwise. */
export async function ensureStream(manager: JetStreamManager, plan: StreamPlan): Promise<void> {
  const wanted = configOf(plan)
  const info = await manager.streams.info(plan.name).catch(ifMissing(() => manager.streams.add(wanted)))
  // A release before, or a deployment that is configured no longer, may have added others.
  const subjects = [...new Set([...info.config.subjects, ...plan.subjects])]
  if (subjects.length > info.config.subjects.length || differs(info.config, { ...wanted, subjects }))
    await manager.streams.update(plan.name, { ...wanted, subjects })
  for (const consumer of plan.consumers) await ensureConsumer(manager, plan.name, consumer)
}

async function ensureConsumer(manager: JetStreamManager, stream: string, { name, subject }: ConsumerPlan): Promise<void> {
  const config = {
    durable_name: name,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    // Of a message that is not acknowledged.
    ack_wait: nanos(60_000),
    max_ack_pending: 1_000,
    max_deliver: -1,
  }
  await manager.consumers.info(stream, name).catch(ifMissing(() => manager.consumers.add(stream, config)))
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
  const { max_age, max_bytes, max_msg_size, max_msgs_per_subject } = { ...config, ...wanted }
  return (
    config.max_age !== max_age ||
    config.max_bytes !== max_bytes ||
    config.max_msg_size !== max_msg_size ||
    config.max_msgs_per_subject !== max_msgs_per_subject
  )
}

function ifMissing<T>(create: () => Promise<T>): (error: unknown) => Promise<T> {
  return (error) => {
    if (error instanceof JetStreamApiError && error.status === 404) return create()
    throw error
  }
}
