import type { OrganizationEvent } from '@trestle/contracts/accounts/events'
import type { Activity } from '@trestle/contracts/activity'
import { z } from 'zod'

/** Somebody who did something in the name of an organization, as far as they are known today. */
interface AuthorRecord {
  readonly id: string
  readonly displayName: string
  readonly email: string
  readonly serviceAccount: boolean
  readonly isMember: boolean
}

/** Who and what is named in events, by id. */
export interface EventNames {
  readonly authors: ReadonlyMap<string, AuthorRecord>
  readonly clientKeys: ReadonlyMap<string, string>
}

const Actor = z.object({ session: z.string().optional(), clientKey: z.string().optional(), address: z.string().optional() })
const Actors = z.array(Actor)

/** The ids of users and client keys that the events name. */
export function namedIn(events: readonly Activity[]): { userIds: string[]; clientIds: string[] } {
  const acts = events.flatMap((event) => (actorOf(event) ? [event] : []))
  return {
    userIds: [...new Set(acts.map(({ user }) => user))],
    clientIds: [...new Set(acts.flatMap((event) => actorOf(event)?.clientKey ?? []))],
  }
}

/** As other members may see it: without sessions, and without the addresses of people. */
export function organizationEvent(event: Activity, names: EventNames): OrganizationEvent {
  const actor = actorOf(event)
  const { actor: _, actors, ...data } = event.serviceData
  const keys = Actors.safeParse(actors).data?.flatMap(({ clientKey }) => (clientKey ? [{ clientKey }] : [])) ?? []
  const shown = actor && { actor: actor.clientKey ? { clientKey: actor.clientKey, address: actor.address } : {} }
  return {
    ...event,
    serviceData: { ...data, ...shown, ...(keys.length > 0 && { actors: keys }) },
    ...(actor && { by: authorOf(event.user, actor.clientKey, names) }),
  }
}

function authorOf(userId: string, clientId: string | undefined, { authors, clientKeys }: EventNames): OrganizationEvent['by'] {
  const author = authors.get(userId)
  const clientKey = clientId && clientKeys.get(clientId)
  return {
    ...(author && { displayName: author.displayName }),
    ...(author?.email && { email: author.email }),
    ...(author?.serviceAccount && { serviceAccount: true }),
    ...(!author?.isMember && { former: true }),
    ...(clientKey && { clientKey }),
  }
}

function actorOf({ serviceData }: Activity): z.infer<typeof Actor> | undefined {
  return Actor.safeParse(serviceData['actor']).data
}
