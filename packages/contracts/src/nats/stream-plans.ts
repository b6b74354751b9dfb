import { type DomainEvent, nameOf, type StateStream } from '../message.js'
import type { Identity } from './identities.js'
import type { Messages } from './messages.js'

/** A JetStream stream as accounts creates it. */
export interface StreamPlan {
  readonly name: string
  readonly subjects: readonly string[]
  readonly maxAgeMs: number
  readonly maxBytes: number
  /** Of a stream that keeps state: only the last message of a subject is kept. */
  readonly maxMessageBytes?: number
  readonly consumers: readonly ConsumerPlan[]
}

export interface ConsumerPlan {
  readonly name: string
  readonly subject: string
}

const DAY_MS = 86_400_000

/** Every stream of these deployments, with its durable consumers. */
export function streamPlans(identities: readonly Identity[], { events, states }: Pick<Messages, 'events' | 'states'>): StreamPlan[] {
  const streams = [...new Set(events.map(({ stream }) => stream))]
  return [
    ...streams.map((name) =>
      eventStream(
        name,
        events.filter(({ stream }) => stream === name),
        identities,
      ),
    ),
    ...states.flatMap((state) => identities.filter(({ app }) => state.keptBy.includes(app)).map(({ name }) => ownStream(state, name))),
  ]
}

/** The deployments that publish an event. */
export function publishersOf({ subject, publishedBy }: DomainEvent, identities: readonly Identity[]): readonly Identity[] {
  const [first] = subject.split('.', 1)
  return identities.filter(({ name, app }) => (first === '*' ? publishedBy?.includes(app) : name === first))
}

/** The consumer's name in JetStream. */
export function consumerName(deployment: string, durable: string): string {
  return `${deployment}-${durable}`
}

export function stateStreamName({ stream }: StateStream, deployment: string): string {
  return nameOf(stream, deployment.toUpperCase())
}

// A consumer may be down for a week. Postgres, not the stream, is where events are safe.
function eventStream(name: string, events: readonly DomainEvent[], identities: readonly Identity[]): StreamPlan {
  return {
    name,
    // Not the pattern: newer servers refuse a stream a leading `*`, as it matches `$JS` too.
    subjects: events.flatMap((event) => publishersOf(event, identities).map((publisher) => nameOf(event.subject, publisher.name))),
    maxAgeMs: 7 * DAY_MS,
    maxBytes: 512 * 1024 * 1024,
    consumers: events.flatMap(({ subject, consumedBy = [] }) =>
      consumedBy.flatMap(({ app, durable }) =>
        identities.filter((each) => each.app === app).map((each) => ({ name: consumerName(each.name, durable), subject })),
      ),
    ),
  }
}

function ownStream(state: StateStream, deployment: string): StreamPlan {
  const { subject, maxAgeMs, maxBytes, maxMessageBytes } = state
  const name = stateStreamName(state, deployment)
  return { name, subjects: [nameOf(subject, deployment)], maxAgeMs, maxBytes, maxMessageBytes, consumers: [] }
}
