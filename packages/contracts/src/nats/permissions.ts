import { nameOf, type ServiceRequest } from '../message.js'
import { type Identity, inboxPrefix } from './identities.js'
import type { Messages } from './messages.js'
import { consumerName, publishersOf, stateStreamName, streamPlans } from './stream-plans.js'

/** What an identity may do; everything else is refused by the server. */
export interface Permissions {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
  /** May publish one reply to each request that it receives. */
  readonly replies: boolean
}

/**
 * Creates all streams and consumers. Whoever may do that can make the server publish under any subject (`deliver_subject`, `republish`),
 * so it is the service that decides everybody's rights anyway.
 */
const STREAM_OWNER = 'accounts'

type Grant = (identity: Identity, identities: readonly Identity[], messages: Messages) => Partial<Permissions>

const API = '$JS.API'

/** The least that a deployment needs, by the contracts. */
export function permissionsOf(identity: Identity, identities: readonly Identity[], messages: Messages): Permissions {
  const grants = GRANTS.map((grant) => grant(identity, identities, messages))
  const all = (side: 'publish' | 'subscribe') => [...new Set(grants.flatMap((grant) => grant[side] ?? []))].toSorted()
  return { publish: all('publish'), subscribe: all('subscribe'), replies: grants.some(({ replies }) => replies) }
}

const requests: Grant = (identity, identities, { requests }) => {
  const served = requests.flatMap((request) => subjectsOf(request, [identity])).filter((subject) => subject.startsWith(`${identity.name}.`))
  const sent = requests.filter(({ requestedBy }) => requestedBy?.includes(identity.app))
  return {
    publish: sent.flatMap((request) => subjectsOf(request, identities)),
    subscribe: [`${inboxPrefix(identity.name)}.>`, ...served],
    replies: served.length > 0,
  }
}

/** The subjects of a request: with a leading `*` one for each deployment that replies to it. */
function subjectsOf({ subject, repliedBy }: ServiceRequest, identities: readonly Identity[]): string[] {
  if (!subject.startsWith('*')) return [subject]
  return identities.filter(({ app }) => repliedBy?.includes(app)).map(({ name }) => nameOf(subject, name))
}

const publishedEvents: Grant = (identity, identities, { events }) => {
  const published = events.filter((event) => publishersOf(event, identities).some(({ name }) => name === identity.name))
  return { publish: published.flatMap(({ subject, stream }) => [nameOf(subject, identity.name), `${API}.STREAM.INFO.${stream}`]) }
}

const subscribedEvents: Grant = ({ name, app }, _, { events }) => ({
  subscribe: events.filter(({ subscribedBy }) => subscribedBy?.includes(app)).map(({ subject }) => nameOf(subject, name)),
})

/** Of durable consumers: asking for messages, which arrive at the inbox, and acknowledging them. */
const consumedEvents: Grant = ({ name, app }, _, { events }) => {
  const consumers = events.flatMap(({ stream, consumedBy = [] }) =>
    consumedBy.filter((each) => each.app === app).map(({ durable }) => `${stream}.${consumerName(name, durable)}`),
  )
  return {
    publish: consumers.flatMap((consumer) => [
      `${API}.CONSUMER.INFO.${consumer}`,
      `${API}.CONSUMER.MSG.NEXT.${consumer}`,
      `$JS.ACK.${consumer}.>`,
      // With the domain and the account in front: nats-server 2.14 and newer.
      `$JS.ACK.*.*.${consumer}.>`,
    ]),
  }
}

const broadcasts: Grant = ({ name, app }, _, { broadcasts }) => {
  const subjects = broadcasts.filter(({ publishedBy }) => publishedBy?.includes(app)).map(({ subject }) => nameOf(subject, name))
  return { publish: subjects, subscribe: subjects }
}

const state: Grant = ({ name, app }, _, { states }) => ({
  publish: states
    .filter(({ keptBy }) => keptBy.includes(app))
    .flatMap((each) => {
      const stream = stateStreamName(each, name)
      // Not DIRECT.GET: it lets the server publish a message as it is at any subject that the client names as its inbox.
      return [nameOf(each.subject, name), ...['INFO', 'MSG.GET', 'PURGE'].map((verb) => `${API}.STREAM.${verb}.${stream}`)]
    }),
})

const ownedStreams: Grant = ({ app }, identities, messages) => {
  if (app !== STREAM_OWNER) return {}
  return {
    publish: streamPlans(identities, messages).flatMap(({ name, consumers }) => [
      ...['INFO', 'CREATE', 'UPDATE'].map((verb) => `${API}.STREAM.${verb}.${name}`),
      ...consumers.flatMap((consumer) => [
        ...['INFO', 'DELETE'].map((verb) => `${API}.CONSUMER.${verb}.${name}.${consumer.name}`),
        `${API}.CONSUMER.CREATE.${name}.${consumer.name}.${consumer.subject}`,
      ]),
    ]),
  }
}

const GRANTS: readonly Grant[] = [requests, publishedEvents, subscribedEvents, consumedEvents, broadcasts, state, ownedStreams]
