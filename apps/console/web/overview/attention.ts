import type { ClientKey } from '@trestle/contracts/accounts/client-keys'
import type { Cluster } from '@trestle/contracts/nodes/clusters'
import type { Node } from '@trestle/contracts/nodes/nodes'
import type { Validator } from '@trestle/contracts/staking/validators'
import type { ServiceDelivery } from '../administration/use-delivery.js'
import { blockingCondition } from '../nodes/workload.js'
import type { ServiceHealth } from '../platform/health.client.js'
import { nodesTexts } from '../texts/nodes.js'

/** Data that has loaded; the rest is undefined. */
interface PlatformState {
  readonly services?: readonly (Partial<ServiceHealth> & Pick<ServiceHealth, 'name'>)[]
  readonly nodes?: readonly Node[]
  readonly clusters?: readonly Cluster[]
  readonly validators?: readonly Validator[]
  readonly keys?: readonly ClientKey[]
  /** To administrators only. */
  readonly delivered?: readonly Pick<ServiceDelivery, 'name' | 'letters'>[]
}

export interface AttentionItem {
  readonly id: string
  readonly kind:
    | 'serviceDown'
    | 'failed'
    | 'degraded'
    | 'stopsSoon'
    | 'slashed'
    | 'unknown'
    | 'compromised'
    | 'noted'
    | 'keyExpires'
    | 'keyExpired'
    | 'deadLetters'
  readonly isUrgent: boolean
  /** What it is about. */
  readonly what: string
  /** In the platform's words. */
  readonly why?: string
  readonly when?: string
  /** Where one can do something about it. */
  readonly to?: string
}

const DAY_MS = 86_400_000
const KEY_WARNING_MS = 14 * DAY_MS

/** What needs the user's attention, urgent items first. */
export function attentionItems(known: PlatformState, now: Date): AttentionItem[] {
  const items = [
    ...(known.services ?? []).flatMap(ofService),
    ...(known.nodes ?? []).flatMap((node) =>
      ofWorkload(node, { what: nodesTexts.titleOf(node.chain, node.network), to: `/app/nodes/${node.id}` }, now),
    ),
    ...(known.clusters ?? []).flatMap((cluster) => ofWorkload(cluster, { what: cluster.name, to: `/app/clusters/${cluster.id}` }, now)),
    ...(known.validators ?? []).flatMap(ofValidator),
    ...(known.keys ?? []).flatMap((key) => ofKey(key, now)),
    ...(known.delivered ?? []).flatMap(ofDelivery),
  ]
  return [...items.filter(({ isUrgent }) => isUrgent), ...items.filter(({ isUrgent }) => !isUrgent)]
}

function ofService({ name, state, reason }: Partial<ServiceHealth> & Pick<ServiceHealth, 'name'>): AttentionItem[] {
  return state === 'down' ? [{ id: `service ${name}`, kind: 'serviceDown', isUrgent: true, what: name, why: reason }] : []
}

type Place = Required<Pick<AttentionItem, 'what' | 'to'>>

function ofWorkload({ id, phase, state, conditions, ttl }: Node | Cluster, place: Place, now: Date): AttentionItem[] {
  const endsInMs = Number(ttl) * 1000 - now.getTime()
  const ending: AttentionItem[] =
    state === 'started' && endsInMs < DAY_MS
      ? [{ id: `${id} ends`, kind: 'stopsSoon', isUrgent: false, when: new Date(Number(ttl) * 1000).toISOString(), ...place }]
      : []
  if (phase !== 'failed' && phase !== 'degraded') return ending
  return [{ id, kind: phase, isUrgent: phase === 'failed', why: blockingCondition(conditions)?.message, ...place }, ...ending]
}

function ofValidator({ id, chain, pubkey, slashed, status, phase, note }: Validator): AttentionItem[] {
  const place = {
    id,
    what: `${pubkey.slice(0, 10)}…`,
    to: `/app/staking/validators/${pubkey}?chain=${encodeURIComponent(chain)}`,
    why: note ?? undefined,
  }
  if (slashed && phase !== 'withdrawn') return [{ kind: 'slashed', isUrgent: true, ...place }]
  if (phase === 'spoiled') return [{ kind: 'compromised', isUrgent: true, ...place }]
  if (status === 'unknown') return [{ kind: 'unknown', isUrgent: true, ...place }]
  return note ? [{ kind: 'noted', isUrgent: false, ...place }] : []
}

function ofKey({ id, name, expiresAt }: ClientKey, now: Date): AttentionItem[] {
  if (expiresAt === undefined) return []
  const leftMs = new Date(expiresAt).getTime() - now.getTime()
  if (leftMs > KEY_WARNING_MS) return []
  const kind = leftMs <= 0 ? 'keyExpired' : 'keyExpires'
  return [{ id, kind, isUrgent: leftMs <= DAY_MS, what: name ?? id, when: expiresAt, to: '/app/keys' }]
}

function ofDelivery({ name, letters = [] }: Pick<ServiceDelivery, 'name' | 'letters'>): AttentionItem[] {
  const [newest] = letters
  if (!newest) return []
  const { error, givenUpAt } = newest
  return [
    {
      id: `letters ${name}`,
      kind: 'deadLetters',
      isUrgent: false,
      what: name,
      why: error,
      when: givenUpAt,
      to: '/app/administration/delivery',
    },
  ]
}
