import { maxLagOf } from '@trestle/contracts/chains/chains'
import type { LiveMember, LiveWorkload } from './live-workload.js'
import type { MemberHealth } from './member-health.js'

/** What the choice needs to know of a machine's client. */
export interface MachineLoad {
  /** Calls under way. */
  readonly outstanding: number
  readonly health: Pick<MemberHealth, 'isWell'>
}

interface Choosing {
  readonly chain: string
  readonly now: number
}

/** The member to try next; undefined where none is left. An unhealthy member is better than none. */
export function chooseMember<C extends MachineLoad>(
  members: LiveWorkload<C>['members'],
  choosing: Choosing,
  tried: readonly C[],
): LiveMember<C> | undefined {
  // A node, the usual case, has one.
  const [only] = members
  if (members.length === 1 && only && !only.isDraining && tried.length === 0) return only
  const rest = upToDate(members, choosing.chain).filter(({ client }) => !tried.includes(client))
  return leastLoaded(rest.filter((member) => isWell(member, choosing.now))) ?? leastLoaded(rest)
}

/** The members that a transaction is sent to. */
export function healthyMembers<C extends MachineLoad>(members: LiveWorkload<C>['members'], choosing: Choosing): readonly LiveMember<C>[] {
  const rest = upToDate(members, choosing.chain)
  const well = rest.filter((member) => isWell(member, choosing.now))
  return well.length > 0 ? well : rest
}

/** The members that are not draining, and not further behind the best than their chain allows. */
function upToDate<C extends MachineLoad>(members: LiveWorkload<C>['members'], chain: string): readonly LiveMember<C>[] {
  const staying = members.filter(({ isDraining }) => !isDraining)
  const best = Math.max(...staying.filter(({ isReady }) => isReady).map(({ height }) => height), 0)
  return staying.filter(({ height }) => height >= best - maxLagOf(chain))
}

function isWell<C extends MachineLoad>({ isReady, client }: LiveMember<C>, now: number): boolean {
  return isReady && client.health.isWell(now)
}

/** Of equals always the first: calls in sequence are answered by one node, whose chain does not go back. */
function leastLoaded<C extends MachineLoad>(members: readonly LiveMember<C>[]): LiveMember<C> | undefined {
  return members.reduce<LiveMember<C> | undefined>(
    (best, member) => (best && best.client.outstanding <= member.client.outstanding ? best : member),
    undefined,
  )
}
